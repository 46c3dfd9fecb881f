/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory samples out of an AUX trace: perf decodes it. */
#ifndef MEMDB_PERFDATA_INJECT_H
#define MEMDB_PERFDATA_INJECT_H

#include "base/err.h"

struct pd_inject {
	const char *perf;         /* the program, looked up in PATH */
	const char *from, *to;    /* the recording; the file that gets it with samples */
	int log_fd;               /* gets perf's words; they are read again */
	unsigned idle_seconds;    /* until a perf that writes nothing is killed; 0: by the size */
	const volatile int *stop; /* perf is killed when this is not 0; NULL: never */
};

/*
 * Runs `perf inject --itrace=M`, which may hang, run away and fill the disk on a damaged trace: it
 * is killed with all it started. `to` exists then as well. Returns 0, or with a sentence:
 *   MD_ECHILD, MD_ESYS  perf failed, gave up or could not be run
 *   MD_EINTR            *stop was set, or a signal that asks to end is pending
 */
int pd_inject(const struct pd_inject *j, struct md_err *err);

#endif

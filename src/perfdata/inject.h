/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs perf to decode an AUX trace (such as the trace of Arm SPE) into memory samples. */
#ifndef MEMDB_PERFDATA_INJECT_H
#define MEMDB_PERFDATA_INJECT_H

#include "base/err.h"

struct pd_inject {
	const char *perf; /* the perf program; looked for in PATH if it has no slash */
	/* the recording, and the file that perf writes: a copy with the decoded samples */
	const char *from, *to;
	int log_fd; /* gets perf's messages; must be readable too */
	/* perf is killed after this time without output; 0 means a time that depends on the size
	 * of the file */
	unsigned idle_seconds;
	const volatile int *stop; /* perf is killed when this is not 0; NULL means never */
};

/*
 * Runs `perf inject --itrace=M`. On a damaged trace perf may hang, loop or fill the disk. Then this
 * function kills perf and its children. `to` may exist even after an error. Returns 0, or with a
 * sentence in err: MD_ECHILD or MD_ESYS if perf failed, was killed or could not start, MD_EINTR if
 * *stop was set or a terminating signal is pending.
 */
int pd_inject(const struct pd_inject *j, struct md_err *err);

#endif

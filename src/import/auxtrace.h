/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Converts AUX traces to samples, with perf inject. */
#ifndef MEMDB_IMPORT_AUXTRACE_H
#define MEMDB_IMPORT_AUXTRACE_H

#include <stdbool.h>

struct import;

struct auxtrace {
	const char *kind; /* name of the trace's hardware; NULL means there is no trace */
	/* a trace of Arm's SPE, the only kind that perf inject converts to samples */
	bool has_spe;
	/* why the trace's samples are missing in the database; "" means they are not missing */
	char why[256];
};

/* Converts the samples in an AUX trace, if the recording has one. im->in.perf is the converted
 * file afterwards. Returns 0 or an MD_E*. */
int auxtrace_open(struct import *im);

#endif

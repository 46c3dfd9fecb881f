/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Converts AUX traces to samples, with perf inject. */
#ifndef MEMDB_IMPORT_AUXTRACE_H
#define MEMDB_IMPORT_AUXTRACE_H

#include <stdbool.h>

struct import;

struct auxtrace {
	const char *kind; /* name of the hardware that wrote the trace; NULL means that there is
			   * no trace */
	/* whether the recording has a trace of Arm's SPE (the only kind that memdb converts), or
	 * samples that perf made from such a trace (events.c) */
	bool has_spe;
	/* why the database lacks the trace's samples; "" means that it has them, or that there is
	 * no trace */
	char why[256];
};

/* If the recording has a trace of Arm's SPE, converts it: im->in.perf is the converted file
 * afterwards. If the trace cannot be converted, or is of another kind, sets aux.why and keeps
 * im->in.perf. Returns 0 or an MD_E*. */
int auxtrace_open(struct import *im);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Converts AUX traces to samples, with perf inject. */
#ifndef MEMDB_IMPORT_AUXTRACE_H
#define MEMDB_IMPORT_AUXTRACE_H

#include <stdbool.h>

struct import;

struct auxtrace {
	const char *kind; /* NULL means there is no trace */
	bool has_spe;     /* it is a trace of Arm's SPE; perf can convert it to samples */
	char why[256];    /* why its samples are not in the database; "" means they are */
};

/* Converts the samples in an AUX trace, if there is one. May replace im->perf by another file. */
int auxtrace_open(struct import *im);

#endif

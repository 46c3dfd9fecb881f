/* SPDX-License-Identifier: GPL-2.0-or-later */
/* AUX traces: perf inject converts them to samples. */
#ifndef MEMDB_IMPORT_AUXTRACE_H
#define MEMDB_IMPORT_AUXTRACE_H

#include <stdbool.h>

struct import;

struct auxtrace {
	const char *kind; /* NULL: there is no trace */
	bool has_spe;     /* it is a trace of Arm's SPE, which perf converts to samples */
	char why[256];    /* why it is not in the database; "": it is */
};

/* Converts the samples in an AUX trace, if there is one. May replace im->perf by another file. */
int auxtrace_open(struct import *im);

#endif

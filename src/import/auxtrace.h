/* SPDX-License-Identifier: GPL-2.0-or-later */
/* AUX traces: perf inject makes samples of them. */
#ifndef MEMDB_IMPORT_AUXTRACE_H
#define MEMDB_IMPORT_AUXTRACE_H

#include <stdbool.h>

struct import;

struct auxtrace {
	const char *kind; /* NULL: there is none */
	bool has_spe;     /* it is of Arm's SPE, whose samples perf makes of it */
	char why[256];    /* why it is not in the database; "": it is */
};

/* Has the samples that are in an AUX trace made, which may put another file into im->perf. */
int auxtrace_open(struct import *im);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Two recordings beside each other: did a change help? */
#ifndef MEMDB_REPORT_DIFF_H
#define MEMDB_REPORT_DIFF_H

#include <stdio.h>

#include "base/err.h"
#include "database/print.h"

struct diff_options {
	const char *before, *after; /* databases */
	double noise;               /* percent that two runs of one program differ by */
	enum print_format
		format; /* PRINT_TABLE: the answer and the largest changes; else all rows */
};

/*
 * Prints what changed from one run to the other. Errors are those of db_open_readonly() and
 * print_rows(), and MD_EUSAGE where the two do not count in the same unit.
 */
int diff_print(const struct diff_options *o, FILE *out, struct md_err *err);

#endif

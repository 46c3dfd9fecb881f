/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compares two recordings of a program, for example before and after a change of its code. */
#ifndef MEMDB_REPORT_DIFF_H
#define MEMDB_REPORT_DIFF_H

#include <sqlite3.h>
#include <stdio.h>

#include "base/err.h"
#include "database/print.h"

struct diff_options {
	const char *before, *after; /* paths of the two databases */
	/* by how much two runs of the same program differ without any change, percent */
	double noise;
	/* PRINT_TABLE prints the answer and the largest changes, other formats all rows */
	enum print_format format;
};

/*
 * Prints what changed from one run to the other. Returns 0, an error of db_open_readonly() or
 * print_rows(), or MD_ENOTSUP if the runs have different units (a timer's time and another
 * sampler's accesses): then it has printed only those totals that exist in both units.
 */
int diff_print(const struct diff_options *o, FILE *out, struct md_err *err);

/*
 * Opens both databases and stores their comparison in the table temp.change of *db, with the
 * columns of sql/diff/1-changes.sql; the first run is `main` there, the second `after`. The caller
 * closes *db, also after a failure. Returns 0, an error of db_open_readonly(), MD_EDB, or
 * MD_ENOTSUP if the runs have different units.
 */
int diff_open(const struct diff_options *o, sqlite3 **db, struct md_err *err);

#endif

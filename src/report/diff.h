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
	/* percentage by which two runs of the same unchanged program are assumed to differ. A
	 * negative number means the default: 0 if both runs counted every access, otherwise 5 plus
	 * a fifth of the percentage of time for which computing threads were off the CPUs */
	double noise;
	/* PRINT_TABLE prints a summary and the largest changes; all other formats print all
	 * changes */
	enum print_format format;
};

/*
 * Prints what changed from the run `before` to the run `after`. If the costs of the runs have
 * different units, for example time and accesses, prints only the totals that both runs have and
 * returns MD_ENOTSUP. Otherwise returns 0, or an error of db_open_readonly() or print_rows().
 */
int diff_print(const struct diff_options *o, FILE *out, struct md_err *err);

/*
 * Opens both databases and stores their comparison in the tables temp.change and temp.note of *db,
 * with the columns of sql/diff/1-changes.sql and 2-notes.sql; the first run is `main` there, the
 * second `after`. The caller closes *db, also after a failure. Returns 0, an error of
 * db_open_readonly(), MD_EDB, or MD_ENOTSUP if the runs have different units.
 */
int diff_open(const struct diff_options *o, sqlite3 **db, struct md_err *err);

#endif

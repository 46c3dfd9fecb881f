/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compares recordings of a program, for example before and after a change of its code. */
#ifndef MEMDB_REPORT_DIFF_H
#define MEMDB_REPORT_DIFF_H

#include <sqlite3.h>
#include <stdio.h>

#include "base/err.h"
#include "database/print.h"

enum { DIFF_MOST_PAIRS = 32 };

struct diff_options {
	/* paths of the databases: first those of `pairs` runs before the change, then those of as
	 * many after it */
	const char *paths[2 * DIFF_MOST_PAIRS];
	size_t pairs;
	/* percentage by which two runs of the same unchanged program are assumed to differ. A
	 * negative number means the default: 0 if both runs counted every access, otherwise 5 plus
	 * a fifth of the percentage of time for which computing threads were off the CPUs */
	double noise;
	/* PRINT_TABLE prints a summary and the largest changes; all other formats print all
	 * changes */
	enum print_format format;
};

/*
 * Prints what changed from the runs before the change to those after it. If the costs of the runs
 * have different units, for example time and accesses, prints only the totals that both have (of
 * several pairs, nothing) and returns MD_ENOTSUP. If two of several databases are of one recording,
 * returns MD_EUSAGE. Otherwise returns 0, or an error of db_open_readonly() or print_rows().
 */
int diff_print(const struct diff_options *o, FILE *out, struct md_err *err);

/*
 * Opens the databases and stores their comparison in the tables temp.change and temp.note of *db,
 * with the columns of sql/diff/1-changes.sql and 2-notes.sql; the first run before the change is
 * `main` there, the first one after it `after`. The caller closes *db, also after a failure.
 * Returns 0, an error of db_open_readonly(), MD_EDB, or MD_ENOTSUP if the runs have different
 * units.
 */
int diff_open(const struct diff_options *o, sqlite3 **db, struct md_err *err);

#endif

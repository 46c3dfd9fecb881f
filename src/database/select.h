/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opens a database with only some of its samples: those of a time, or of a function and what it
 * called.
 *
 * The selected samples and their sums are copied into temporary tables with the names of the real
 * ones, and all views are created again on top of them as temporary views. SQLite looks a name up
 * there first, so every query answers for the selection, and shares are shares of it; main.NAME is
 * still the table or view of the entire run. Page faults, allocations and moves are not selected:
 * most memory that is accessed in a selection was placed before it.
 */
#ifndef MEMDB_DATABASE_SELECT_H
#define MEMDB_DATABASE_SELECT_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

/* { 0 } selects everything. */
struct selection {
	bool has_from, has_to;
	double from, to;      /* seconds after the start of the recording: from <= time < to */
	const char *function; /* NULL means any function; matched by select_is_function() */
};

/*
 * Opens a database as db_open_readonly() does, with the samples that s selects; s NULL means all of
 * them. The caller closes *out. Returns the errors of db_open_readonly() and, with *out NULL:
 *   MD_EUSAGE  no sample is selected; the sentence says whether the function or the time is to
 * blame
 *   MD_EDB     SQLite reported an error, for example no room for temporary files
 */
int select_open(const char *path, const struct selection *s, sqlite3 **out, struct md_err *err);

/*
 * Writes a sentence on the part of the run that db shows, "" if it is all of the run: "selected:
 * 1.0 to 2.5 s, in 'solve': 310 of 1200 samples (25.8 %, 40.1 % of the cost); shares are of these".
 */
void select_told(sqlite3 *db, char *out, size_t size);

/*
 * Is `name`, from debug information or a symbol table, the function `wanted`? The texts may be
 * equal, or differ in arguments, template arguments, namespaces and what a compiler appends:
 * "solve" is also "app::solve<int>(int)", and "solve(int) [clone ._omp_fn.0]", the body of its
 * parallel loop.
 */
bool select_is_function(const char *name, const char *wanted);

#endif

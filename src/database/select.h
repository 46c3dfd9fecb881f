/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A database of which only some samples count: those of a time, or of a function and what it
 * called.
 *
 * Samples and their sums are copied, as far as they are selected, into temporary tables of the same
 * names, and all views are made again over them as temporary views. SQLite looks a name up there
 * first, so that every query gives the answer of the selection, with shares of what is selected;
 * main.NAME is still the table or view of the whole run. Page faults, allocations and moves stay
 * whole: what is accessed in a selection was mostly placed before it.
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
	const char *function; /* NULL: anywhere; as select_is_function() takes it */
};

/*
 * Opens a database as db_open_readonly() does, with these samples; NULL: with all. The caller
 * closes *out. Its errors, and with *out NULL:
 *   MD_EUSAGE  nothing is selected; the sentence says whether the function or the time is to blame
 *   MD_EDB     SQLite refused, as where there is no room for temporary files
 */
int select_open(const char *path, const struct selection *s, sqlite3 **out, struct md_err *err);

/*
 * Writes a sentence on what db has of its run, "" where that is all:
 * "selected: 1.0 to 2.5 s, in 'solve': 310 of 1200 samples (25.8 %, 40.1 % of the cost); shares are
 * of these".
 */
void select_told(sqlite3 *db, char *out, size_t size);

/*
 * Is `name`, as debug information or a symbol table has it, the function `wanted`? The same text;
 * or without arguments, template arguments, namespaces and what a compiler appends: "solve" is also
 * "app::solve<int>(int)", and "solve(int) [clone ._omp_fn.0]", the body of its parallel loop.
 */
bool select_is_function(const char *name, const char *wanted);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opens a database so that it shows only some of its samples: those of a period of time, or of a
 * function and the functions that it called.
 *
 * The selected samples and their sums are copied into temporary tables with the names of the real
 * ones, and all views are created again on top of them as temporary views. SQLite looks up a name
 * among temporary tables first. So every query reads the selection, and percentages refer to it.
 * main.NAME is still the table or view of the entire run. Page faults, allocations and moves stay
 * those of the entire run: most memory that is accessed in a selection was placed before it.
 */
#ifndef MEMDB_DATABASE_SELECT_H
#define MEMDB_DATABASE_SELECT_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

/* The selected samples. { 0 } selects all. */
struct selection {
	bool has_from, has_to;
	/* seconds since the start of the recording; a sample is selected if from <= time < to */
	double from, to;
	/* NULL means all functions; a name as named_find() accepts it for NAMED_CODE */
	const char *function;
};

/*
 * Opens a database like db_open_readonly(), so that it shows only the samples that *s selects. If s
 * is NULL, it shows all. The caller closes *out. Returns the errors of db_open_readonly() and, with
 * *out NULL:
 *   MD_EUSAGE  no function has the name s->function, or no sample is selected
 *   MD_EDB     SQLite reported an error, for example no room for temporary files
 */
int select_open(const char *path, const struct selection *s, sqlite3 **out, struct md_err *err);

/*
 * Writes a sentence that says which part of the run db shows: "selected: 1 to 2.5 s, in 'solve' and
 * what it called: 310 of 1200 samples (25.8 %, 40.1 % of the cost); shares are of these". Writes ""
 * if db shows the entire run.
 */
void select_sentence(sqlite3 *db, char *out, size_t size);

/*
 * Is `name`, from debug information or a symbol table, the function `wanted`? The two may differ in
 * arguments, template arguments, namespaces and suffixes of the compiler: "solve" is also
 * "app::solve<int>(int)", and "solve(int) [clone ._omp_fn.0]", the body of its parallel loop.
 */
bool select_is_function(const char *name, const char *wanted);

/* Registers two SQL functions on this connection. is_function(name, wanted) returns 1 if
 * select_is_function() is true. region_owner(name) returns the name of the function that contains
 * the parallel region `name`, or NULL (base/omp_region.h). Returns an SQLite code. */
int select_register(sqlite3 *db);

#endif

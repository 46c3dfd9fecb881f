/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds, checks and prepares the canned queries of queries/. Each query is one SELECT statement,
 * which the sqlite3 shell can run too. A header describes it:
 *
 *   -- query:   NAME
 *   -- summary: one line
 *   -- param:   NAME DEFAULT what it does        (DEFAULT "-": none)
 *   -- values:  NAME a, b, c                     (the only values that NAME accepts)
 *   -- values:  NAME 0..9                        (the same for whole numbers. Without this line,
 *                                                 a NAME whose DEFAULT is a number accepts
 *                                                 numbers from 1)
 *   -- with:    NAME OTHER [a, b, c]             (NAME needs OTHER; with a list: OTHER, if given,
 *                                                 must be one of these)
 *   -- without: NAME OTHER                       (NAME and OTHER exclude each other)
 *   -- column:  NAME what it is
 *
 * A parameter NAME is :NAME in the SQL. A parameter that is not set is NULL, so the SQL supplies
 * the default with coalesce(:NAME, DEFAULT).
 */
#ifndef MEMDB_DATABASE_QUERY_H
#define MEMDB_DATABASE_QUERY_H

#include <sqlite3.h>
#include <stddef.h>
#include <stdio.h>

#include "base/err.h"
#include "database/sql.h"

/* Returns the canned query with this name, or NULL. */
const struct sql_file *query_find(const char *name);

/* Returns the canned query whose name is most similar to `name`; NULL if none is similar enough. */
const struct sql_file *query_suggest(const char *name);

/* Finds the n-th line "-- KEY: text" of the query's header, counted from 0. Sets *text to the text
 * without blanks at its ends; it is not terminated by 0. Returns its length; 0 means that there is
 * no such line. */
int query_header(const struct sql_file *q, const char *key, int n, const char **text);

/* Checks params[0..n), each "name=value". Returns 0, or MD_EUSAGE if q has no such parameter or
 * value, if a parameter is given twice, or if the parameters cannot be combined. Needs no database,
 * so it does not check that the recording contains the named objects, threads and functions. */
int query_check(const struct sql_file *q, const char *const *params, int n, struct md_err *err);

/* Writes the value of a parameter in the form that the sqlite3 shell's command .parameter reads. */
void query_literal(const char *value, FILE *out);

/*
 * Prepares query q on db with params[0..n), each "name=value". The caller finalizes *out. Returns
 * 0, or with *out NULL:
 *   MD_EDB     SQLite reported an error
 *   MD_EUSAGE  query_check() refuses the parameters, or the recording has no such object, function,
 *              type, thread, allocation or call path
 *   MD_ENOMEM
 */
int query_prepare(sqlite3 *db, const struct sql_file *q, const char *const *params, int n,
		  sqlite3_stmt **out, struct md_err *err);

/* Writes to `out` why the query q has no rows. nparams is the number of parameters that the user
 * gave. Writes "" if the reason cannot be found out, because another version of memdb made the
 * database. */
void query_no_rows(sqlite3 *db, const struct sql_file *q, int nparams, char *out, size_t size);

/* If several objects have the name that the parameter `object` gives, writes to `out` a remark for
 * the user that lists their ids. Otherwise writes "". params[0..n) must have passed query_check().
 * Returns 0 or an error of named_find(). */
int query_note(sqlite3 *db, const struct sql_file *q, const char *const *params, int n, char *out,
	       size_t size, struct md_err *err);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The canned queries of queries/: one SELECT each, which the sqlite3 shell runs as well. Their
 * header says what they are:
 *
 *   -- query:   NAME
 *   -- summary: one line
 *   -- param:   NAME DEFAULT what it does        (DEFAULT "-": none)
 *   -- values:  NAME a, b, c                     (of a parameter: all that it can be)
 *   -- with:    NAME OTHER [a, b, c]             (NAME needs OTHER; with a list: OTHER, if it is
 * said, is one of these)
 *   -- without: NAME OTHER                       (NAME and OTHER exclude each other)
 *   -- column:  NAME what it is
 *
 * A parameter NAME is :NAME in the SQL, which gives its default by coalesce(:NAME, DEFAULT),
 * because a parameter that nobody set is NULL.
 */
#ifndef MEMDB_DATABASE_QUERY_H
#define MEMDB_DATABASE_QUERY_H

#include <sqlite3.h>
#include <stddef.h>

#include "base/err.h"
#include "database/sql.h"

/* The query of that name, or NULL. All of them: sql_queries. */
const struct sql_file *query_find(const char *name);

/* The query whose name is most like `name`; NULL when none is. */
const struct sql_file *query_suggest(const char *name);

/* The text behind "-- KEY:" for the n-th time (0: the first), without blanks around it. Returns its
 * length and sets *text, which is not terminated; 0: there is none. */
int query_header(const struct sql_file *q, const char *key, int n, const char **text);

/*
 * Prepares the query on db with params[0..n) of the form "name=value". The caller finalizes *out.
 *   MD_EUSAGE  no such parameter, its value is not a number where the default is one or not of its
 *              values, it is there twice, it means nothing with the others, or the recording has
 *              no such object, function, thread, allocation or call path
 *   MD_EDB     SQLite refused
 */
int query_prepare(sqlite3 *db, const struct sql_file *q, const char *const *params, int n,
		  sqlite3_stmt **out, struct md_err *err);

/*
 * What the asker should know of params[0..n), valid for q: that several objects have the name, with
 * their ids. Writes a sentence into out, or "" where there is nothing to say.
 *   MD_EDB  SQLite refused
 */
int query_note(sqlite3 *db, const struct sql_file *q, const char *const *params, int n, char *out,
	       size_t size, struct md_err *err);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "database/kept.h"

#include <assert.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "database/sql.h"

/* Returns the part after "CREATE VIEW name " of memdb's own definition of a view: "AS" and the
 * SELECT statement. */
static const char *find_body(const char *name)
{
	char begin[64];

	snprintf(begin, sizeof(begin), "\nCREATE VIEW %s ", name);
	for (const struct sql_file *f = sql_views; f->name; f++) {
		const char *p = strstr(f->text, begin);

		if (p)
			return p + strlen(begin);
	}
	return NULL;
}

/* Stores the rows of `body`, which is "AS" and a SELECT statement, in a temporary table. */
static int store_rows(sqlite3 *db, const char *name, const char *body)
{
	sqlite3_str *text = sqlite3_str_new(db);
	char *sql;
	int rc;

	sqlite3_str_appendf(text, "DROP VIEW IF EXISTS temp.\"%w\"; CREATE TEMP TABLE \"%w\" ",
			    name, name);
	sqlite3_str_appendall(text, body);
	sql = sqlite3_str_finish(text);
	rc = sql ? sqlite3_exec(db, sql, NULL, NULL, NULL) : SQLITE_NOMEM;
	sqlite3_free(sql);
	return rc;
}

/* Stores the rows of one view. First drops a temporary view of this name, which a selection may
 * have created. The rows come from memdb's own view, which reads other views of the database. If
 * another build of memdb wrote the database, those other views may lack columns. Then the rows come
 * from the database's own view. */
static int store_view(sqlite3 *db, const char *name)
{
	const char *body = find_body(name);
	sqlite3_str *own = sqlite3_str_new(db);
	char *sql;
	int rc;

	assert(body);
	sqlite3_str_appendf(own, "AS SELECT * FROM main.\"%w\"", name);
	sql = sqlite3_str_finish(own);
	rc = store_rows(db, name, body);
	/* a selection never gets here, because all its views are memdb's own */
	if (rc == SQLITE_ERROR)
		rc = sql ? store_rows(db, name, sql) : SQLITE_NOMEM;
	sqlite3_free(sql);
	return rc;
}

/* Permits or forbids statements that create temporary tables. The database itself is open for
 * reading only. */
static int set_writable(sqlite3 *db, bool yes)
{
	return sqlite3_exec(db, yes ? "PRAGMA query_only=OFF" : "PRAGMA query_only=ON", NULL, NULL,
			    NULL);
}

int kept_store(sqlite3 *db, const char *const *names, struct md_err *err)
{
	int rc = set_writable(db, true);

	for (; !rc && *names; names++)
		rc = store_view(db, *names);
	if (!rc)
		rc = set_writable(db, false);
	return rc ? md_fail(err, MD_EDB, "cannot keep the rows of views: %s", sqlite3_errmsg(db))
		  : 0;
}

/* Runs a statement that returns no rows, and finalizes it. Returns an SQLite code. */
static int run(sqlite3 *db, sqlite3_stmt *st)
{
	int rc = set_writable(db, true);

	if (!rc)
		sqlite3_step(st);
	rc = sqlite3_finalize(st); /* the error of the step */
	return rc ? rc : set_writable(db, false);
}

int kept_prepare(sqlite3 *db, const char *text, void (*bind)(sqlite3_stmt *st, const void *arg),
		 const void *arg, sqlite3_stmt **st)
{
	int rc;

	while (!(rc = sqlite3_prepare_v2(db, text, -1, st, &text)) && *st) {
		if (bind && sqlite3_bind_parameter_count(*st))
			bind(*st, arg);
		if (sqlite3_column_count(*st))
			return 0;
		rc = run(db, *st);
		*st = NULL;
		if (rc)
			break;
	}
	return MD_EDB;
}

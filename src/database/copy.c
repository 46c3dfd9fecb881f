/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copies the rows of a query into a table of another database, with the same columns. The HTML
 * report contains such a copy. To keep the copy small, copy_rows() can leave out rows. */
#include "database/copy.h"

#include <stdbool.h>
#include <stddef.h>

/* Fails with the error of `db`: the source or the target of the copy, whichever reported it. */
static int fail_copy(sqlite3 *db, const struct copy *c, struct md_err *err)
{
	return md_fail(err, MD_EDB, "cannot copy '%s': %s", c->table, sqlite3_errmsg(db));
}

/* Appends a list in brackets to `sql`. With `names`, it lists the column names of the statement
 * `from`; otherwise it has one "?" for each column. */
static void put_list(sqlite3_str *sql, sqlite3_stmt *from, bool names)
{
	for (int i = 0; i < sqlite3_column_count(from); i++) {
		sqlite3_str_appendall(sql, i ? ", " : "(");
		if (names)
			sqlite3_str_appendf(sql, "\"%w\"", sqlite3_column_name(from, i));
		else
			sqlite3_str_appendchar(sql, 1, '?');
	}
	sqlite3_str_appendchar(sql, 1, ')');
}

/* Returns the text of the CREATE statement, if `create` is set, or else of the INSERT; NULL means
 * out of memory. Names of tables and columns cannot be bound, so they are quoted. */
static char *statement_text(sqlite3 *to, sqlite3_stmt *from, const struct copy *c, bool create)
{
	sqlite3_str *sql = sqlite3_str_new(to);

	sqlite3_str_appendf(sql,
			    create && c->temp ? "CREATE TEMP TABLE IF NOT EXISTS \"%w\" "
			    : create          ? "CREATE TABLE IF NOT EXISTS \"%w\" "
					      : "INSERT INTO \"%w\" VALUES ",
			    c->table);
	put_list(sql, from, create);
	return sqlite3_str_finish(sql);
}

/* Creates the table in `to` if it is missing, and prepares the INSERT. Returns an SQLite code. */
static int prepare_statement(sqlite3 *to, sqlite3_stmt *from, const struct copy *c,
			     sqlite3_stmt **st)
{
	char *create = statement_text(to, from, c, true),
	     *insert = statement_text(to, from, c, false);
	int rc = create && insert ? sqlite3_exec(to, create, NULL, NULL, NULL) : SQLITE_NOMEM;

	if (!rc)
		rc = sqlite3_prepare_v2(to, insert, -1, st, NULL);
	sqlite3_free(create);
	sqlite3_free(insert);
	return rc;
}

/* Inserts the current row of `from`. Returns an SQLite code. */
static int put_row(sqlite3_stmt *from, sqlite3_stmt *st)
{
	for (int i = 0; i < sqlite3_column_count(from); i++)
		sqlite3_bind_value(st, i + 1, sqlite3_column_value(from, i));
	sqlite3_step(st);
	return sqlite3_reset(st);
}

/* Rows that are left out are counted, too, so that the HTML page can say how many are missing. */
int copy_rows(sqlite3_stmt *from, sqlite3 *to, struct copy *c, struct md_err *err)
{
	sqlite3_stmt *st = NULL;
	int ret = prepare_statement(to, from, c, &st) ? fail_copy(to, c, err) : 0;
	int rc = SQLITE_DONE;

	c->rows = c->kept = 0;
	while (!ret && (rc = sqlite3_step(from)) == SQLITE_ROW) {
		if (++c->rows % c->every || c->kept == c->first)
			continue;
		c->kept++;
		ret = put_row(from, st) ? fail_copy(to, c, err) : 0;
	}
	if (!ret && rc != SQLITE_DONE)
		ret = fail_copy(sqlite3_db_handle(from), c, err);
	sqlite3_finalize(st);
	return ret;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Implements a virtual table of SQLite (sqlite.org/vtab.html) whose rows are structs in memory. The
 * table supports only full scans, because INSERT … SELECT needs nothing else.
 *
 * Values are passed without a copy: rows and strings stay valid until the statement has ended. A
 * column is NULL if its member has the value that rows.h defines for NULL, or if its bit in the
 * row's `has` is not set.
 */
#include "database/vtab.h"

#include <stdbool.h>
#include <string.h>

struct rows_table {
	sqlite3_vtab base;
	const struct row_source *source;
};

struct rows_cursor {
	sqlite3_vtab_cursor base;
	const struct row_source *source;
	size_t at;
	const char *row;
};

/* Appends to s the names of the table's columns as "a,b,c", without the first `skip` ones. */
static void append_columns(sqlite3_str *s, const struct table *t, int skip)
{
	for (int i = skip; i < t->ncolumns; i++)
		sqlite3_str_appendf(s, "%s\"%w\"", i > skip ? "," : "", t->columns[i].name);
}

/* SQLite calls this when the virtual table is first used. Declares the same columns as the real
 * table. */
static int rows_connect(sqlite3 *db, void *aux, int argc, const char *const *argv,
			sqlite3_vtab **out, char **msg)
{
	const struct row_source *source = aux;
	sqlite3_str *s = sqlite3_str_new(db);
	struct rows_table *t = NULL;
	char *sql;
	int rc = SQLITE_NOMEM;

	sqlite3_str_appendall(s, "CREATE TABLE x(");
	append_columns(s, source->table, 0);
	sqlite3_str_appendall(s, ")");
	sql = sqlite3_str_finish(s);
	if (!sql)
		goto out;
	rc = sqlite3_declare_vtab(db, sql);
	if (rc)
		goto out;
	t = sqlite3_malloc(sizeof(*t));
	if (!t) {
		rc = SQLITE_NOMEM;
		goto out;
	}
	*t = (struct rows_table){ .source = source };
	*out = &t->base;
out:
	sqlite3_free(sql);
	return rc;
}

/* SQLite calls this to free the virtual table. The rows are borrowed and stay. */
static int rows_disconnect(sqlite3_vtab *t)
{
	sqlite3_free(t);
	return SQLITE_OK;
}

/* SQLite calls this to find out how it can read the virtual table: a full scan is the only way. */
static int rows_best_index(sqlite3_vtab *t, sqlite3_index_info *info)
{
	info->estimatedCost = 1000;
	return SQLITE_OK;
}

/* SQLite opens a cursor (a position in the rows) for each running statement. */
static int rows_open(sqlite3_vtab *base, sqlite3_vtab_cursor **out)
{
	struct rows_cursor *c = sqlite3_malloc(sizeof(*c));

	if (!c)
		return SQLITE_NOMEM;
	*c = (struct rows_cursor){ .source = ((struct rows_table *)base)->source };
	*out = &c->base;
	return SQLITE_OK;
}

static int rows_close(sqlite3_vtab_cursor *c)
{
	sqlite3_free(c);
	return SQLITE_OK;
}

/* Starts a scan: sets the cursor to the first row. The rows may differ from those of the previous
 * scan. */
static int rows_filter(sqlite3_vtab_cursor *base, int plan, const char *name, int argc,
		       sqlite3_value **argv)
{
	struct rows_cursor *c = (struct rows_cursor *)base;

	c->at = 0;
	c->row = c->source->rows;
	return SQLITE_OK;
}

static int rows_next(sqlite3_vtab_cursor *base)
{
	struct rows_cursor *c = (struct rows_cursor *)base;

	c->at++;
	c->row += c->source->table->row_size;
	return SQLITE_OK;
}

static int rows_eof(sqlite3_vtab_cursor *base)
{
	struct rows_cursor *c = (struct rows_cursor *)base;

	return c->at >= c->source->count;
}

/* Passes the value of column i to SQLite; without a result, the value is NULL. SQLite calls this
 * function for each inserted value, so its speed matters: it takes 10 of the 25 ns that a value
 * costs. */
static int rows_column(sqlite3_vtab_cursor *base, sqlite3_context *ctx, int i)
{
	const struct rows_cursor *c = (const struct rows_cursor *)base;
	const struct column *col = &c->source->table->columns[i];
	const void *p = c->row + col->offset;
	int64_t value;

	if (col->kind == COLUMN_REAL)
		sqlite3_result_double(ctx, *(const double *)p);
	else if (col->kind == COLUMN_TEXT)
		sqlite3_result_text(ctx, *(const char *const *)p, -1, SQLITE_STATIC);
	else if (column_integer(c->source->table, col, c->row, &value))
		sqlite3_result_int64(ctx, value);
	return SQLITE_OK;
}

/* Returns the position of the cursor. Nobody uses it, but SQLite requires the function. */
static int rows_rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *rowid)
{
	*rowid = (sqlite3_int64)((struct rows_cursor *)base)->at;
	return SQLITE_OK;
}

static const sqlite3_module rows_module = {
	/* without xCreate, this is an eponymous virtual table: no CREATE VIRTUAL TABLE is needed */
	.xConnect = rows_connect,
	.xBestIndex = rows_best_index,
	.xDisconnect = rows_disconnect,
	.xOpen = rows_open,
	.xClose = rows_close,
	.xFilter = rows_filter,
	.xNext = rows_next,
	.xEof = rows_eof,
	.xColumn = rows_column,
	.xRowid = rows_rowid,
};

/* `source` must outlive the connection, because SQLite keeps the pointer. */
int vtab_register(sqlite3 *db, struct row_source *source)
{
	char *name = sqlite3_mprintf("new_%s", source->table->name);
	int rc = SQLITE_NOMEM;

	if (name)
		rc = sqlite3_create_module(db, name, &rows_module, source);
	sqlite3_free(name);
	return rc;
}

/* Both lists of columns, of INSERT and of SELECT, come from the description t, so they cannot
 * differ. SQLITE_PREPARE_PERSISTENT says that the statement is kept for long: SQLite then does not
 * put it into its lookaside memory, which is for short-lived objects. */
int vtab_prepare_insert(sqlite3 *db, const struct table *t, int skip, sqlite3_stmt **out)
{
	sqlite3_str *s = sqlite3_str_new(db);
	char *sql;
	int rc = SQLITE_NOMEM;

	sqlite3_str_appendf(s, "INSERT INTO \"%w\"(", t->name);
	append_columns(s, t, skip);
	sqlite3_str_appendall(s, ") SELECT ");
	append_columns(s, t, skip);
	sqlite3_str_appendf(s, " FROM \"new_%w\"", t->name);
	sql = sqlite3_str_finish(s);
	if (sql)
		rc = sqlite3_prepare_v3(db, sql, -1, SQLITE_PREPARE_PERSISTENT, out, NULL);
	sqlite3_free(sql);
	return rc;
}

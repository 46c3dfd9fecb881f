/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Inserts rows in bulk. A prepared INSERT costs SQLite a microsecond for each row, most of it for
 * binding values and starting the statement. So rows are collected in arrays of plain structs, one
 * array for each table, and a virtual table (vtab.c) lets one INSERT … SELECT read all rows of an
 * array.
 *
 * An array is small enough for the second-level cache, where its rows still are when SQLite reads
 * them. Strings of its rows are copied to an arena, which is emptied together with the array.
 *
 * Samples, page faults, call paths and cells of blocks are many, so their rows become pages of the
 * file without SQLite (btree.c). Their texts are names of kinds, which are short. SQLite does not
 * see these rows before bulk_flush(). From then on it inserts the rows of these tables, too,
 * because pages can only be written for an empty table.
 *
 * What must stay true: rows of one table reach SQLite in the order in which they were put. While
 * their ids run 1, 2, 3, … SQLite assigns the ids itself, which saves a search for each row. At the
 * first gap, the rows before the gap are inserted, and from then on the ids are passed to SQLite.
 */
#include "database/bulk.h"

#include <stdlib.h>
#include <string.h>

#include "base/escape.h"

enum {
	ROWS_BYTES = 64 << 10, /* maximum number of bytes of the collected rows of one table, so
				* that they fit the second-level cache */
	/* maximum number of bytes of the strings of a table's collected rows; beyond it, the rows
	 * are inserted */
	TEXT_BYTES = 1 << 20,
};

static bool is_large(enum table_id id)
{
	return id == TABLE_SAMPLE_DATA || id == TABLE_FAULT_DATA || id == TABLE_CALL_PATHS ||
	       id == TABLE_BLOCK_CELLS;
}

/* Prepares the statements of all tables once; they are executed for every batch of rows. */
int bulk_init(struct bulk *b, sqlite3 *db, int fd)
{
	*b = (struct bulk){ .db = db };
	for (int i = 0; i < TABLES; i++) {
		struct bulk_table *t = &b->tables[i];
		int rc;

		t->source.table = &tables[i];
		/* SQLite can assign the id only if the first column is an id that counts from 1;
		 * this column is then left out of the INSERT */
		t->in_order = tables[i].columns[0].kind == COLUMN_ID &&
			      !strcmp(tables[i].columns[0].name, "id");
		for (int k = 0; k < tables[i].ncolumns; k++)
			t->has_text |= tables[i].columns[k].kind == COLUMN_TEXT;
		rc = vtab_register(db, &t->source);
		if (!rc)
			rc = vtab_prepare_insert(db, &tables[i], 0, &t->insert);
		if (!rc && t->in_order)
			rc = vtab_prepare_insert(db, &tables[i], 1, &t->append);
		t->is_direct = fd >= 0 && is_large((enum table_id)i);
		if (!rc && t->is_direct)
			rc = btree_begin(&t->tree, &tables[i], db, fd);
		if (rc)
			return rc;
	}
	return SQLITE_OK;
}

/* Rows that were put after the last bulk_flush() may be lost. */
void bulk_release(struct bulk *b)
{
	for (int i = 0; i < TABLES; i++) {
		struct bulk_table *t = &b->tables[i];

		sqlite3_finalize(t->insert);
		sqlite3_finalize(t->append);
		free((char *)t->source.rows);
		arena_release(&t->text);
		btree_release(&t->tree);
	}
	*b = (struct bulk){ 0 };
}

/* Inserts the collected rows of a table, or passes them to btree_put() if the table is written as
 * pages. Returns an SQLite code; sqlite3_reset() returns that of the INSERT. */
static int flush_table(struct bulk_table *t)
{
	sqlite3_stmt *st = t->in_order ? t->append : t->insert;
	int rc;

	if (!t->source.count)
		return SQLITE_OK;
	if (t->is_direct) {
		rc = btree_put(&t->tree, t->source.rows, t->source.count);
	} else {
		sqlite3_step(st);
		rc = sqlite3_reset(st);
	}
	t->inserted += t->source.count;
	t->source.count = 0;
	if (t->text.used)
		arena_release(&t->text);
	return rc;
}

/* Copies a string of a row. A recording may contain any bytes, but text in the database is UTF-8.
 * All texts of rows pass through this function, so it escapes invalid bytes. Returns NULL when out
 * of memory. */
static const char *copy_text(struct arena *a, const char *s)
{
	size_t len = strlen(s), n = escape_utf8_size(s);
	char *p;

	if (n == len)
		return arena_copy(a, s, len);
	p = arena_alloc(a, n + 1);
	if (p)
		escape_utf8(s, p);
	return p;
}

/* Replaces the pointers to strings in a row with copies, because the caller's strings are valid
 * only during the call. */
static int keep_text(struct bulk_table *t, char *row)
{
	for (int i = 0; i < t->source.table->ncolumns; i++) {
		const struct column *c = &t->source.table->columns[i];
		const char **p = (const char **)(void *)(row + c->offset);

		if (c->kind != COLUMN_TEXT || !*p)
			continue;
		*p = copy_text(&t->text, *p);
		if (!*p)
			return SQLITE_NOMEM;
	}
	return SQLITE_OK;
}

static uint32_t row_id(const struct bulk_table *t, const char *row)
{
	uint32_t id;

	memcpy(&id, row + t->source.table->columns[0].offset, sizeof(id));
	return id;
}

/* Copies the row to the end of its table's array. If the array or its strings are then full,
 * inserts all rows of the array. */
int bulk_put(struct bulk *b, enum table_id id, const void *row)
{
	struct bulk_table *t = &b->tables[id];
	size_t size = t->source.table->row_size;
	char *place;
	int rc;

	if (!t->source.rows) {
		t->cap = ROWS_BYTES / size;
		t->source.rows = malloc(t->cap * size);
		if (!t->source.rows)
			return SQLITE_NOMEM;
	}
	/* the first gap in the ids: the rows collected before rely on SQLite to assign their ids,
	 * so they are inserted before in_order is cleared */
	if (t->in_order && row_id(t, row) != t->inserted + t->source.count + 1) {
		rc = flush_table(t);
		if (rc)
			return rc;
		t->in_order = false;
	}
	place = (char *)t->source.rows + t->source.count * size;
	memcpy(place, row, size);
	rc = t->has_text ? keep_text(t, place) : SQLITE_OK;
	if (rc)
		return rc;
	t->source.count++;
	if (t->source.count == t->cap || t->text.used > TEXT_BYTES)
		return flush_table(t);
	return SQLITE_OK;
}

/* Inserts the collected rows of all tables. Call before a table is read, and at the end. */
int bulk_flush(struct bulk *b)
{
	for (int i = 0; i < TABLES; i++) {
		struct bulk_table *t = &b->tables[i];
		int rc = flush_table(t);

		if (!rc && t->is_direct)
			rc = btree_end(&t->tree);
		if (rc)
			return rc;
		if (t->is_direct)
			btree_release(&t->tree);
		t->is_direct = false;
	}
	return SQLITE_OK;
}

int bulk_errno(const struct bulk *b)
{
	int error = 0;

	for (int i = 0; i < TABLES && !error; i++)
		error = b->tables[i].tree.error;
	return error;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Collects rows by table and hands them to SQLite several hundred at a time.
 */
#ifndef MEMDB_DATABASE_BULK_H
#define MEMDB_DATABASE_BULK_H

#include <sqlite3.h>
#include <stdbool.h>

#include "base/arena.h"
#include "database/vtab.h"

struct bulk_table {
	struct row_source source; /* rows not inserted yet */
	size_t cap;
	bool has_text;     /* the table has a text column */
	struct arena text; /* strings of the rows */
	sqlite3_stmt *insert;
	/* insert for rows that continue the ids 1, 2, 3, …: SQLite assigns the id itself and need
	 * not check whether it exists. NULL: the table has no such ids */
	sqlite3_stmt *append;
	bool in_order; /* all rows so far continued the ids */
	uint64_t inserted;
};

struct bulk {
	sqlite3 *db; /* borrowed */
	struct bulk_table tables[TABLES];
	uint64_t insert_ns; /* time spent in SQLite */
};

/* Makes all of tables[] writable. Returns an SQLite code. */
int bulk_init(struct bulk *b, sqlite3 *db);
void bulk_release(struct bulk *b); /* call before the database is closed; { 0 } is fine */

/* Copies one row with its strings; bytes that are not UTF-8 become "\xNN". Returns an SQLite code,
 * possibly that of an earlier row. */
int bulk_put(struct bulk *b, enum table_id id, const void *row);

/* Inserts the collected rows. Returns an SQLite code. */
int bulk_flush(struct bulk *b);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rows on their way into tables: collected by table, handed to SQLite some hundred at a time.
 */
#ifndef MEMDB_DATABASE_BULK_H
#define MEMDB_DATABASE_BULK_H

#include <sqlite3.h>
#include <stdbool.h>

#include "base/arena.h"
#include "database/vtab.h"

struct bulk_table {
	struct row_source source; /* rows not yet inserted */
	size_t cap;
	bool has_text;     /* the table has a column of text */
	struct arena text; /* the rows' strings */
	sqlite3_stmt *insert;
	sqlite3_stmt *append; /* for rows that continue the ids 1, 2, 3, …: SQLite counts itself and
				 need not look whether an id is there. NULL: no such ids */
	bool in_order;        /* so far, all rows did */
	uint64_t inserted;
};

struct bulk {
	sqlite3 *db; /* borrowed */
	struct bulk_table tables[TABLES];
	uint64_t insert_ns; /* spent in SQLite */
};

/* Makes every table of tables[] writable. Returns SQLite's code. */
int bulk_init(struct bulk *b, sqlite3 *db);
void bulk_release(struct bulk *b); /* before the database is closed; { 0 } is fine */

/* Copies one row with its strings; bytes in them that are no UTF-8 become "\xNN". Returns SQLite's
 * code: that of an earlier row, perhaps. */
int bulk_put(struct bulk *b, enum table_id id, const void *row);

/* Inserts what is collected. Returns SQLite's code. */
int bulk_flush(struct bulk *b);

#endif

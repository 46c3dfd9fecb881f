/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Collects rows by table and passes them to SQLite several hundred at a time. */
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
	/* inserts rows that continue the ids 1, 2, 3, …: SQLite assigns the id itself and does not
	 * search for it. NULL means the table has no such ids */
	sqlite3_stmt *append;
	bool in_order; /* all rows so far continued the ids */
	uint64_t inserted;
};

struct bulk {
	sqlite3 *db; /* borrowed */
	struct bulk_table tables[TABLES];
	uint64_t insert_ns; /* time spent in SQLite */
};

/* Prepares all of tables[] for inserts. Returns an SQLite code; release b in any case. */
int bulk_init(struct bulk *b, sqlite3 *db);
void bulk_release(struct bulk *b); /* call before the database is closed; { 0 } is fine */

/* Copies one row with its strings; bytes that are not UTF-8 become "\xNN". Returns an SQLite code,
 * which may be that of the insert of earlier rows. */
int bulk_put(struct bulk *b, enum table_id id, const void *row);

/* Inserts all collected rows. Returns an SQLite code. */
int bulk_flush(struct bulk *b);

#endif

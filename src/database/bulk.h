/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Collects the rows of each table, and passes several hundred at a time to SQLite or, for large
 * tables, to btree.h. */
#ifndef MEMDB_DATABASE_BULK_H
#define MEMDB_DATABASE_BULK_H

#include <sqlite3.h>
#include <stdbool.h>

#include "base/arena.h"
#include "database/btree.h"
#include "database/vtab.h"

struct bulk_table {
	struct row_source source; /* the collected rows */
	size_t cap;
	bool has_text;
	struct arena text; /* strings of the collected rows */
	sqlite3_stmt *insert;
	/* the statement for rows whose ids continue 1, 2, 3, …: SQLite assigns the id itself,
	 * which saves a search. NULL means that the table has no id that counts from 1 */
	sqlite3_stmt *append;
	/* whether the ids of all rows put so far were 1, 2, 3, …, so that `append` inserts them */
	bool in_order;
	bool is_direct; /* rows become pages (`tree`) without SQLite, until the table is read */
	struct btree tree;
	uint64_t inserted;
};

struct bulk {
	sqlite3 *db; /* borrowed */
	struct bulk_table tables[TABLES];
};

/* Prepares an INSERT for each table of tables[]. fd is the database's file, borrowed, to which the
 * pages of large tables are written (btree_begin() says how db must be set up); -1 means that
 * SQLite inserts them, too. Returns an SQLite code. bulk_release() must be called even after a
 * failure. */
int bulk_init(struct bulk *b, sqlite3 *db, int fd);
/* Frees *b. Must be called before the database is closed. *b may be { 0 }. */
void bulk_release(struct bulk *b);

/* Adds a row to a table. The row and its strings are copied; invalid UTF-8 becomes "\xNN". Returns
 * an SQLite code, which may be the error of inserting earlier rows. */
int bulk_put(struct bulk *b, enum table_id id, const void *row);

/* Inserts all collected rows. After this, rows of all tables are inserted by SQLite. Returns an
 * SQLite code. */
int bulk_flush(struct bulk *b);

/* Returns the errno of a failure to write pages; 0 means that there was none. */
int bulk_errno(const struct bulk *b);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lets SQLite read rows in memory as a virtual table. Then one INSERT … SELECT inserts many of
 * them, which is twice as fast as binding each value. */
#ifndef MEMDB_DATABASE_VTAB_H
#define MEMDB_DATABASE_VTAB_H

#include <sqlite3.h>

#include "database/table.h"

/* The rows that a virtual table shows: rows[0..count), each of table->row_size bytes. table and
 * rows are borrowed and must stay valid while a statement reads the virtual table. */
struct row_source {
	const struct table *table;
	const char *rows;
	size_t count;
};

/* Registers *source on db as the virtual table new_NAME, where NAME is the name of its table.
 * *source must outlive db. Returns an SQLite code. */
int vtab_register(sqlite3 *db, struct row_source *source);

/* Prepares "INSERT INTO NAME SELECT … FROM new_NAME" for table t, without its first `skip` columns.
 * Returns an SQLite code. */
int vtab_prepare_insert(sqlite3 *db, const struct table *t, int skip, sqlite3_stmt **out);

#endif

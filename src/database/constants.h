/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fills the tables of names (addr_sources, memory_levels, …), which have the same rows in every
 * database.
 */
#ifndef MEMDB_DATABASE_CONSTANTS_H
#define MEMDB_DATABASE_CONSTANTS_H

#include <sqlite3.h>

#include "database/rows.h"

/* Inserts the rows of all tables of names. Returns an SQLite code. */
int constants_insert(sqlite3 *db);

#endif

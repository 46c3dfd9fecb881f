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

/* Return the name of a value, such as "no-address"; NULL if the enum has no such value. */
const char *object_reason_name(enum object_reason r);
const char *home_source_name(enum home_source s);
const char *time_kind_name(enum time_kind k);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tables of names (addr_sources, memory_levels, …). They have the same rows in every database.
 */
#ifndef MEMDB_DATABASE_CONSTANTS_H
#define MEMDB_DATABASE_CONSTANTS_H

#include <sqlite3.h>

#include "database/rows.h"

/* Fills the tables of names. Returns an SQLite code. */
int constants_insert(sqlite3 *db);

/* "no-address", …; NULL if r is not a value of the enum. */
const char *object_reason_name(enum object_reason r);
const char *home_source_name(enum home_source s);
const char *time_kind_name(enum time_kind k);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opens an existing database for reading. The database need not be trusted. */
#ifndef MEMDB_DATABASE_OPEN_H
#define MEMDB_DATABASE_OPEN_H

#include <sqlite3.h>

#include "base/err.h"

/*
 * Opens a database of memdb for reading only. Its schema is not trusted: bad contents may make a
 * query fail or return wrong rows, but do no other harm. SQL may use the functions of short_code.h
 * and select.h, and is_allocation() (open.c). The caller closes *out with sqlite3_close().
 *
 * Returns 0, or with *out NULL:
 *   MD_EIO      missing or not readable
 *   MD_EFORMAT  not an SQLite database, not one of memdb, or damaged
 *   MD_ENOTSUP  its schema has a different version
 *   MD_ENOMEM
 */
int db_open_readonly(const char *path, sqlite3 **out, struct md_err *err);

#endif

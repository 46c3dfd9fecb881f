/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Objects as users name them. */
#ifndef MEMDB_REPORT_OBJECT_H
#define MEMDB_REPORT_OBJECT_H

#include <sqlite3.h>

#include "base/err.h"

/* The id of the object with this id or name; of several of that name the one that cost most.
 * MD_EUSAGE: there is none; MD_EDB. */
int object_find(sqlite3 *db, const char *name, sqlite3_int64 *id, struct md_err *err);

#endif

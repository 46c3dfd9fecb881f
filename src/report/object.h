/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds objects by the names that users give. */
#ifndef MEMDB_REPORT_OBJECT_H
#define MEMDB_REPORT_OBJECT_H

#include <sqlite3.h>
#include <stdio.h>

#include "base/err.h"

/*
 * Finds the object whose id is `name`, or that has a name which named_find() accepts for `name`. If
 * there are several, takes the one that cost most. Returns 0 or an error of named_find().
 */
int object_find(sqlite3 *db, const char *name, sqlite3_int64 *id, struct md_err *err);

/* If the user has typed a name, and the object `id` is not the only one of this name, prints a
 * table of these objects. Returns 0 or an error of print_rows(). */
int object_print_namesakes(sqlite3 *db, const char *typed, sqlite3_int64 id, FILE *out,
			   struct md_err *err);

#endif

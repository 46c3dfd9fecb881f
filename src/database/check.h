/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks that a database contains what was written to it. */
#ifndef MEMDB_DATABASE_CHECK_H
#define MEMDB_DATABASE_CHECK_H

#include <stdbool.h>

#include "database/bulk.h"

/* Each function sets *damage to a sentence, which the caller frees with sqlite3_free(), or to NULL
 * if the database is as it was written, and returns an SQLite code. */

/* Checks cheaply: every table has as many rows as were inserted, and the file as many bytes as its
 * pages. SQLite visits each page of each table, but decodes no row. recounted: sample_cells and
 * fault_cells were computed again, so their numbers of rows may differ. */
int check_counts(const struct bulk *b, const char *path, bool recounted, char **damage);

/* Runs SQLite's own check of every page, row and index. Takes a tenth of the time of the import. */
int check_everything(sqlite3 *db, char **damage);

#endif

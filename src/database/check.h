/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks that a database holds what was written to it. */
#ifndef MEMDB_DATABASE_CHECK_H
#define MEMDB_DATABASE_CHECK_H

#include <stdbool.h>

#include "database/bulk.h"

/* Sets *damage to a sentence, which the caller frees with sqlite3_free(), or NULL: the database is
 * as it was written. Both return an SQLite code. */

/* Cheap: every table has as many rows as were inserted, and the file as many bytes as its pages
 * take. SQLite visits each page of each table for that, but decodes no row. recounted: sample_cells
 * and fault_cells were computed again. */
int check_counts(const struct bulk *b, const char *path, bool recounted, char **damage);

/* SQLite's own check of every page, row and index: takes as long as a tenth of the import. */
int check_everything(sqlite3 *db, char **damage);

#endif

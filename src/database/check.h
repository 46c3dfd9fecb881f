/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks that a database contains all data that were written to it. */
#ifndef MEMDB_DATABASE_CHECK_H
#define MEMDB_DATABASE_CHECK_H

#include <stdbool.h>

#include "database/bulk.h"

/* Both functions set *damage to NULL if the check passes, otherwise to a sentence, which the caller
 * frees with sqlite3_free(). They return an SQLite code. */

/* The cheap check: every table has as many rows as were inserted, and the file is as long as its
 * number of pages requires. node_distances may have fewer rows, because a row replaces an older one
 * with the same key. `recounted` means that sample_cells and fault_cells were computed again after
 * they were inserted, so that they may have other numbers of rows. To count the rows, SQLite visits
 * each page of each table or of one of its indexes, but decodes no row. */
int check_counts(const struct bulk *b, const char *path, bool recounted, char **damage);

/* The full check by SQLite itself: every page, row and index. It takes a tenth of the time of the
 * import. */
int check_everything(sqlite3 *db, char **damage);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints the rows of a statement as a table for people to read (PRINT_TABLE in database/print.h,
 * which says what a table leaves out). */
#ifndef MEMDB_DATABASE_PRINT_TABLE_H
#define MEMDB_DATABASE_PRINT_TABLE_H

#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>

/* Steps st to its end, and sets *rows to the number of its rows. `room` is the width limit of the
 * table; 0 means the width of the terminal, if `out` is one. `spare` is as in print_table_within().
 * Returns the SQLite code of the last step. */
int print_table(sqlite3_stmt *st, int room, const char *const *spare, FILE *out, uint64_t *rows);

#endif

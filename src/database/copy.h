/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copies the rows of a statement into a table of another database. */
#ifndef MEMDB_DATABASE_COPY_H
#define MEMDB_DATABASE_COPY_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct copy {
	/* name of the table in the target; the table is created if it is missing */
	const char *table;
	bool temp; /* the table is a temporary one */
	/* maximum number of rows that are kept, of those that `every` selects; the first ones are
	 * kept */
	uint64_t first;
	uint64_t every; /* N, at least 1: of every N rows, the last one is selected */
	uint64_t rows;  /* result: number of rows of the statement */
	uint64_t kept;  /* result: number of rows that were kept */
};

/* Creates the table with the columns of `from` if it is missing, steps `from` to its end and stores
 * the rows that *c selects. Values keep their types. The caller finalizes `from` and, if there are
 * many rows, begins a transaction on `to` first. Returns 0, or MD_EDB if one of the databases
 * reported an error. */
int copy_rows(sqlite3_stmt *from, sqlite3 *to, struct copy *c, struct md_err *err);

#endif

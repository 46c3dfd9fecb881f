/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rows of a statement as a table of another database. */
#ifndef MEMDB_DATABASE_COPY_H
#define MEMDB_DATABASE_COPY_H

#include <sqlite3.h>
#include <stdint.h>

#include "base/err.h"

struct copy {
	const char *table; /* its name in the other database: made, or added to */
	uint64_t first;    /* keep so many rows at most, the first ones */
	uint64_t every;    /* keep one of so many in a row, the last of them; at least 1 */
	uint64_t rows;     /* set: rows of the statement (count) */
	uint64_t kept;     /* set: those that are in the table (count) */
};

/*
 * Makes the table with the columns of `from` where there is none of that name, steps `from` to its
 * end and stores what c says. Values
 * keep their types. The caller finalizes `from`; for many rows it opens a transaction of `to`.
 *   MD_EDB  one of the databases refused
 */
int copy_rows(sqlite3_stmt *from, sqlite3 *to, struct copy *c, struct md_err *err);

#endif

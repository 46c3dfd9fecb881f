/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rows of a statement as text. Names in a database come from strangers: control characters and
 * bytes that are no UTF-8 are shown escaped (\n, \x1b, \u202e), so that they cannot talk to a
 * terminal.
 */
#ifndef MEMDB_DATABASE_PRINT_H
#define MEMDB_DATABASE_PRINT_H

#include <sqlite3.h>
#include <stdio.h>

#include "base/err.h"

enum print_format {
	PRINT_TABLE, /* for people to read: see below */
	PRINT_CSV,   /* RFC 4180 with a header; NULL is empty, "" is "" */
	PRINT_JSON,  /* an array of objects */
};

/*
 * A table has its columns padded to their width, numbers to the right, "-" for NULL; without rows
 * it is "(no rows)". It leaves things out, which CSV and JSON never do:
 *   - columns that are NULL in every row (of more rows than fit the look-ahead nobody knows)
 *   - the middle of texts that are too long, with "…" in its place. They get 60 columns, in the
 * last column of the table, which stretches no other, twice as much; on a terminal as many, but at
 * least 30, as let the table fit.
 */

/* Steps st to its end and prints each row. MD_EDB the query failed; MD_EIO out cannot be written;
 * MD_ENOMEM. What was printed until then stays. */
int print_rows(sqlite3_stmt *st, enum print_format format, FILE *out, struct md_err *err);

#endif

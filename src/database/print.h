/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints the rows of a statement. Text in a database is not trusted: control characters and invalid
 * UTF-8 are printed escaped (\n, \x1b, \u202e), so that they cannot control the terminal. */
#ifndef MEMDB_DATABASE_PRINT_H
#define MEMDB_DATABASE_PRINT_H

#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>

#include "base/err.h"

enum print_format {
	/* aligned columns for people to read; the comment on print_counted_rows() says what they
	 * leave out */
	PRINT_TABLE,
	/* RFC 4180 with a header line; NULL is an empty field, an empty string is "" */
	PRINT_CSV,
	/* one line for each row, after a header line; NULL is an empty field; in texts, tab,
	 * newline, carriage return and backslash become \t, \n, \r and \\ */
	PRINT_TSV,
	PRINT_JSON,     /* an array with one object for each row */
	PRINT_MARKDOWN, /* a table in GitHub's Markdown; NULL is an empty field */
};

#define PRINT_FORMATS "table, csv, tsv, json or markdown"

/* Returns the format (enum print_format) with this name; -1 means none. */
int print_format_by_name(const char *name);

/*
 * In a table, columns are padded to their width, numbers are aligned to the right, NULL is "-". A
 * table without rows is "(no rows)". Unlike the other formats, a table leaves out:
 *   - columns that are NULL or empty in every row. If there are more than 1000 rows, all columns
 *     are kept, because later rows may have values
 *   - the result type, the parameters and long template arguments of functions (short_code()), in
 *     columns named function, caller, inside, symbol or allocator
 *   - the middle of long texts, replaced by "…", or another part if different texts of the column
 *     would look the same. The limit of a text is 60 characters, 120 in the last column. On a
 *     terminal, or if the environment has COLUMNS, it is what fits into the width, but at least 30.
 *     Numbers and intervals are never cut, and a place keeps its file and line if they have at most
 *     30 characters. Labels in brackets and "N more …" are not shortened, but continue in the next
 *     columns if these are NULL.
 */

/* Steps st to its end and prints each row. Sets *rows, which may be NULL, to their number. Returns
 * 0; MD_EDB if the query fails; MD_EIO if `out` cannot be written; or MD_ENOMEM. Rows that were
 * printed before the error remain. */
int print_counted_rows(sqlite3_stmt *st, enum print_format format, FILE *out, uint64_t *rows,
		       struct md_err *err);
int print_rows(sqlite3_stmt *st, enum print_format format, FILE *out, struct md_err *err);

/* Prints a table of limited width: that of the terminal, or the environment's COLUMNS, or `columns`
 * if both are unknown. The table is wider only if its numbers and column names need more. Text
 * columns share the remaining width, with at least 11 characters each. `spare`, which may be NULL,
 * has two lists of names of columns that may be left out, the first ones first; NULL ends each
 * list. The columns of the first list are left out if text columns would get less than 17
 * characters, those of the second only if the table is too wide. */
int print_table_within(sqlite3_stmt *st, int columns, const char *const *spare, FILE *out,
		       struct md_err *err);

#endif

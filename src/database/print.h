/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints the rows of a statement. Names in a database are not trusted: control characters and bytes
 * that are not UTF-8 are printed escaped (\n, \x1b, \u202e), so that they cannot control a
 * terminal.
 */
#ifndef MEMDB_DATABASE_PRINT_H
#define MEMDB_DATABASE_PRINT_H

#include <sqlite3.h>
#include <stdio.h>

#include "base/err.h"

enum print_format {
	PRINT_TABLE,    /* for people; see below */
	PRINT_CSV,      /* RFC 4180 with a header; NULL is empty, the empty string is "" */
	PRINT_TSV,      /* a line for each row, with a header; NULL is empty; \t, \n, \r and \\ are
			   escapes for these characters in a text */
	PRINT_JSON,     /* an array of objects */
	PRINT_MARKDOWN, /* a table of GitHub's Markdown; NULL is empty */
};

#define PRINT_FORMATS "table, csv, tsv, json or markdown"

/* Returns the format of that name, or -1. */
int print_format_by_name(const char *name);

/*
 * In a table, columns are padded to their width, numbers are aligned to the right, NULL is "-".
 * Without rows it is "(no rows)". Unlike the other formats it leaves out:
 *   - columns that are NULL in every row (columns are kept if there are more rows than the
 *     look-ahead, because later rows may have values)
 *   - the middle of long texts, replaced by "…". A text gets 60 columns, or 120 in the last
 *     column. On a terminal it gets what lets the table fit, but at least 30.
 */

/* Steps st to its end and prints each row. Returns 0; MD_EDB: the query failed; MD_EIO: out cannot
 * be written; MD_ENOMEM. Rows printed before an error remain. */
int print_rows(sqlite3_stmt *st, enum print_format format, FILE *out, struct md_err *err);

/* Prints a table that is at most `columns` wide, if its numbers and headings allow it. Its texts
 * share the remaining width, at least 10 each. columns 0 means prints as print_rows() does. */
int print_table_within(sqlite3_stmt *st, int columns, FILE *out, struct md_err *err);

#endif

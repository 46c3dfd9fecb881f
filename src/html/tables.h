/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes the database that a page contains. */
#ifndef MEMDB_HTML_TABLES_H
#define MEMDB_HTML_TABLES_H

#include <sqlite3.h>
#include <stddef.h>

#include "database/sql.h"
#include "html/html.h"

/*
 * The files of sql/page, built in. The header of a file describes the table that its SELECT makes:
 *
 *   -- table:   NAME
 *   -- summary: one line
 *   -- keep:    N        copy at most the first N rows
 *   -- draw:    N        instead of keep: copy every k-th row, at most N; k is the number of
 *                        rows divided by N, rounded up
 */
extern const struct sql_file sql_page[];

/*
 * Makes the database of a page from `run`, with the maximum numbers of rows divided by 2^shrink.
 * Sets *image and *size to the bytes of the SQLite file; the caller frees *image with
 * sqlite3_free(). Sets rows and kept of *result. Returns 0, MD_EDB or MD_ENOMEM.
 */
int tables_make(sqlite3 *run, unsigned shrink, unsigned char **image, size_t *size,
		struct html_result *result, struct md_err *err);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The database in a page. */
#ifndef MEMDB_HTML_TABLES_H
#define MEMDB_HTML_TABLES_H

#include <sqlite3.h>
#include <stddef.h>

#include "database/sql.h"
#include "html/html.h"

/* The files of sql/page, built in. Their header says what the table is:
 *
 *   -- table:   NAME
 *   -- summary: one line
 *   -- keep:    N        the first N rows at most
 *   -- draw:    N        instead: one row of each k in a row, so that N are left at most
 */
extern const struct sql_file sql_page[];

/*
 * Makes the page's database of `run`, with limits divided by 2^shrink. The caller frees *image with
 * sqlite3_free(). Sets rows and kept of *result. MD_EDB, MD_ENOMEM.
 */
int tables_make(sqlite3 *run, unsigned shrink, unsigned char **image, size_t *size,
		struct html_result *result, struct md_err *err);

#endif

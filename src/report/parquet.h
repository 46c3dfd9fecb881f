/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes the rows of a statement as a Parquet file, in the subset of the format that DuckDB,
 * ClickHouse, Spark and pandas all read. All columns are optional. INTEGER becomes INT64, REAL
 * becomes DOUBLE, TEXT becomes a UTF-8 BYTE_ARRAY. Each column of a row group has one data page,
 * with plain encoding and zstd.
 */
#ifndef MEMDB_REPORT_PARQUET_H
#define MEMDB_REPORT_PARQUET_H

#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>

#include "base/err.h"

/*
 * Writes the rows of `table`, a table or view, which st selects. Steps st to its end. If a column
 * has no declared type, its type is column_type(), so that several runs are one data set. Then st
 * is stepped twice: the first time, its values are checked. If an INT64 column has numbers with
 * fractions, it becomes DOUBLE. If a column of numbers has a text, it becomes a text. Sets *rows to
 * the number of rows. Returns 0, or MD_EDB      SQLite reports an error MD_EIO      out cannot be
 * written MD_ENOTSUP  a page has 2 GiB or more MD_ENOMEM
 */
int parquet_write(sqlite3_stmt *st, const char *table, FILE *out, uint64_t *rows,
		  struct md_err *err);

#endif

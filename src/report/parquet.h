/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rows of a statement as a Parquet file: the subset of the format that DuckDB, ClickHouse, Spark
 * and pandas read alike. All columns are optional; INTEGER is INT64, REAL is DOUBLE, TEXT is a
 * UTF-8 BYTE_ARRAY. One data page for each column of a row group, plain encoding, zstd.
 */
#ifndef MEMDB_REPORT_PARQUET_H
#define MEMDB_REPORT_PARQUET_H

#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>

#include "base/err.h"

/*
 * Steps st to its end, twice: a column whose declaration gives no type has that of its values
 * (INT64 if all are integers, else DOUBLE if all are numbers, else text; text if all are NULL).
 * Sets *rows to their number. Returns 0, or: MD_EDB     SQLite refused MD_EIO     out cannot be
 * written MD_ENOTSUP a page of more than 2 GiB MD_ENOMEM
 */
int parquet_write(sqlite3_stmt *st, FILE *out, uint64_t *rows, struct md_err *err);

#endif

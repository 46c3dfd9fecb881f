/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Converts a database of memdb to files that other database engines and tools read. */
#ifndef MEMDB_REPORT_DATASET_H
#define MEMDB_REPORT_DATASET_H

#include <stdbool.h>
#include <stdio.h>

#include "base/err.h"

/*
 * Writes the tables and views of the database at `path` as DIR/table=NAME/run=RUN/part.parquet.
 * Skips those whose name is longer than 63 characters or contains other characters than letters,
 * digits and '_'. RUN is the file name of the database without ".db"; characters other than
 * letters, digits, '.', '_' and '-' become '_'. So several runs or ranks in one DIR are one data
 * set. Creates DIR if necessary. A file appears only when it is complete. Returns 0, an error of
 * db_open_readonly() or parquet_write(), or
 *   MD_EUSAGE  the run exists already and force is not set, or a path is too long
 */
int dataset_write(const char *path, const char *dir, bool force, struct md_err *err);

/*
 * Writes the comments of tables, views and columns to `out`, in the form of Datasette's file
 * metadata.json. Datasette shows them next to the tables. Returns 0, MD_EIO, MD_EDB, or an error of
 * db_open_readonly().
 */
int dataset_metadata(const char *path, FILE *out, struct md_err *err);

#endif

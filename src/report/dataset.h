/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A database for other engines. */
#ifndef MEMDB_REPORT_DATASET_H
#define MEMDB_REPORT_DATASET_H

#include <stdbool.h>
#include <stdio.h>

#include "base/err.h"

/*
 * Writes all tables and views of the database at `path` as DIR/table=NAME/run=RUN/part.parquet, RUN
 * being the database's name without its ending: several runs or ranks in one DIR are one data set.
 * DIR is made where there is none; a file is complete or not there. Errors are those of
 * db_open_readonly(), parquet_write(), and MD_EUSAGE  this run is there already, and force is not
 * set.
 */
int dataset_write(const char *path, const char *dir, bool force, struct md_err *err);

/* Writes what Datasette shows next to tables, views and columns, as its metadata.json: their
 * comments. Errors are those of db_open_readonly(), and MD_EIO. */
int dataset_metadata(const char *path, FILE *out, struct md_err *err);

#endif

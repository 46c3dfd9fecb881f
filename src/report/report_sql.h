/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Declares the SQL files of the folders sql/report, sql/object, sql/export, sql/annotate and
 * sql/diff, which are built into memdb: one array for each folder, sorted by the names of the
 * files. database/sql.h and html/tables.h declare the other SQL files that are built in.
 */
#ifndef MEMDB_REPORT_REPORT_SQL_H
#define MEMDB_REPORT_REPORT_SQL_H

#include <sqlite3.h>
#include <stdio.h>

#include "database/sql.h"

extern const struct sql_file sql_report[];
extern const struct sql_file sql_annotate[];
extern const struct sql_file sql_object[];
extern const struct sql_file sql_diff[];
extern const struct sql_file sql_export[];

/* Prints a sentence that describes which samples are selected; nothing if all are. */
void print_selection(sqlite3 *db, FILE *out);

#endif

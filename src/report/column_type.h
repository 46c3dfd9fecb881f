/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The types of the columns of views, which SQLite does not know. */
#ifndef MEMDB_REPORT_COLUMN_TYPE_H
#define MEMDB_REPORT_COLUMN_TYPE_H

/* Returns the type of the values in a column of a view of the schema: "INTEGER", "REAL" or "TEXT".
 * It is the same in every database, also if the column has no values there. */
const char *column_type(const char *view, const char *column);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The columns of a cell that totals.c adds up, and their names in the statements of sql/totals. */
#ifndef MEMDB_DATABASE_CELL_PARTS_H
#define MEMDB_DATABASE_CELL_PARTS_H

#include <sqlite3.h>
#include <stdbool.h>
#include <string.h>

#include "base/count.h"

/* The columns of sample_cells that are summed. sql/totals/3-cells.sql has these columns in this
 * order after CELL_IDS ids; sql/totals/1-kinds.sql gets their numbers (enum part) as parameters of
 * these names. totals.c checks both. */
#define CELL_PARTS(X)      \
	X(samples)         \
	X(period)          \
	X(period_sq)       \
	X(weighted)        \
	X(weighted_period) \
	X(latency)         \
	X(latency_sq)

#define PART_ID(m) PART_##m,
/* PART_NONE means a column that is always 0. */
enum part { PART_NONE, CELL_PARTS(PART_ID) PARTS };
enum { CELL_IDS = 4 };

#define PART_NAME(m) [PART_##m] = #m,
static const char *const cell_part_names[] = { CELL_PARTS(PART_NAME) };
ASSERT_NAMES(cell_part_names, PARTS - 1);

/* Sets each parameter of the statement to the number of the part with its name. */
static inline int cell_parts_bind(sqlite3_stmt *st)
{
	int rc = SQLITE_OK;

	for (int i = 1; !rc && i <= sqlite3_bind_parameter_count(st); i++) {
		const char *name = sqlite3_bind_parameter_name(st, i);
		int part = PART_NONE + 1;

		while (part < PARTS && strcmp(name + 1, cell_part_names[part]))
			part++;
		rc = part < PARTS ? sqlite3_bind_int(st, i, part) : SQLITE_INTERNAL;
	}
	return rc;
}

/* Does the statement, after `first` other columns, return columns with these names? */
static inline bool has_columns(sqlite3_stmt *st, int first, const char *const names[], int n)
{
	if (sqlite3_column_count(st) != first + n)
		return false;
	for (int i = 0; i < n; i++)
		if (strcmp(sqlite3_column_name(st, first + i), names[i]))
			return false;
	return true;
}

#endif

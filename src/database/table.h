/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Describes, for each table, how the members of its row struct become columns. */
#ifndef MEMDB_DATABASE_TABLE_H
#define MEMDB_DATABASE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Type of a row struct's member, and the value that means NULL; see rows.h. */
enum column_kind {
	COLUMN_ID,   /* uint32_t, 0 is NULL */
	COLUMN_ENUM, /* int32_t, -1 is NULL */
	COLUMN_TIME, /* int64_t, 0 is NULL */
	COLUMN_INT,  /* int64_t; NULL if the column's bit in `has` is not set */
	COLUMN_REAL, /* double, never NULL */
	COLUMN_BOOL, /* bool, never NULL */
	COLUMN_TEXT, /* const char *; a NULL pointer is NULL */
};

struct column {
	const char *name;
	uint8_t kind;    /* a value of enum column_kind */
	uint16_t offset; /* offset of the member in the row struct */
	uint32_t has;    /* for COLUMN_INT: the column's bit in the member `has`; 0 means never
			  * NULL */
};

struct table {
	const char *name;
	const struct column *columns;
	int ncolumns;
	size_t row_size;   /* size of the row struct */
	size_t has_offset; /* offset of the 32-bit member `has`; 0 means the struct has none */
};

enum table_id {
	TABLE_RUNS,
	TABLE_NODES,
	TABLE_NODE_DISTANCES,
	TABLE_CPUS,
	TABLE_PMUS,
	TABLE_PROCESSES,
	TABLE_THREADS,
	TABLE_THREAD_AFFINITIES,
	TABLE_COMMS,
	TABLE_SELECTED_EVENTS,
	TABLE_DSOS,
	TABLE_MAPPINGS,
	TABLE_SYMBOLS,
	TABLE_FILES,
	TABLE_SOURCE_LINES,
	TABLE_LOCATIONS,
	TABLE_INLINED_FRAMES,
	TABLE_CALL_PATHS,
	TABLE_TYPES,
	TABLE_MEMBERS,
	TABLE_OBJECTS,
	TABLE_ALLOCATIONS,
	TABLE_INSTRUCTIONS,
	TABLE_ACCESS_KINDS,
	TABLE_SAMPLE_DATA,
	TABLE_FAULT_DATA,
	TABLE_OTHER_WAITS,
	TABLE_PAGE_HOMES,
	TABLE_POLICY_CALLS,
	TABLE_TRACEPOINTS,
	TABLE_LOSSES,
	TABLE_SAMPLE_CELLS,
	TABLE_FAULT_CELLS,
	TABLE_ALLOCATION_CELLS,
	TABLE_BLOCK_CELLS,
	TABLE_OPERATION_CELLS,
	TABLE_KIND_TOTALS,
	TABLE_TOTALS,
	TABLES
};

extern const struct table tables[TABLES];

/* Reads a column of a row, of any kind but COLUMN_REAL and COLUMN_TEXT. Returns false if it is
 * NULL. */
static inline bool column_integer(const struct table *t, const struct column *c, const char *row,
				  int64_t *value)
{
	const void *p = row + c->offset;
	uint32_t has;

	switch ((enum column_kind)c->kind) {
	case COLUMN_ID:
		*value = *(const uint32_t *)p;
		return *value;
	case COLUMN_ENUM:
		*value = *(const int32_t *)p;
		return *value != -1;
	case COLUMN_TIME:
		*value = *(const int64_t *)p;
		return *value;
	case COLUMN_BOOL:
		*value = *(const bool *)p;
		return true;
	default:
		*value = *(const int64_t *)p;
		if (!c->has)
			return true;
		memcpy(&has, row + t->has_offset, sizeof(has));
		return has & c->has;
	}
}

#endif

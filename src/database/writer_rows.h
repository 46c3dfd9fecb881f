/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Declares the rows that the writer makes itself: the rows of the dictionaries of samples and page
 * faults (instructions, kinds of access), and the rows of sums. */
#ifndef MEMDB_DATABASE_WRITER_ROWS_H
#define MEMDB_DATABASE_WRITER_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "database/sample_columns.h"

struct row_instruction {
	struct instruction key;
	uint32_t id;
};

struct row_access_kind {
	struct access_kind key;
	uint32_t id;
};

/* Identifies a cell (cells.h): `code` in sample_cells, fault_cells and operation_cells, `block` in
 * allocation_cells. */
union cell_key {
	struct {
		uint32_t instruction_id, kind_id, thread_id, object_id;
	} code;
	struct {
		uint32_t allocation_id, kind_id, zero[2];
	} block;
	uint64_t words[2]; /* the same 16 bytes, to compare them fast */
};

_Static_assert(sizeof(union cell_key) == 16, "padding");

/* Identifies a row of block_cells: what all blocks counted in it have in common. */
union block_key {
	struct {
		uint32_t object_id, thread_id, end_thread_id;
		uint8_t size_bits, life_bits, end, hit; /* end: enum block_end */
	};
	uint64_t words[2]; /* the same 16 bytes, to compare them fast */
};

_Static_assert(sizeof(union block_key) == 16, "padding");

struct row_block_cell {
	uint32_t object_id, thread_id, end_thread_id;
	int64_t size_bits, life_bits;
	const char *end_reason;
	bool hit;
	int64_t blocks, bytes, stored;
	enum { HAS_BLOCK_LIFE = 1 } has;
};

struct row_cell {
	union cell_key key;
	int64_t samples, period, weighted, weighted_period;
	double period_sq, latency, latency_sq;
};

#endif

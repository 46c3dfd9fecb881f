/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Samples and page faults as they are stored: what repeats from row to row (the instruction, the
 * kind of access) is told once in a table of its own. Rules for NULL as in rows.h.
 */
#ifndef MEMDB_DATABASE_PACKED_H
#define MEMDB_DATABASE_PACKED_H

#include <stdint.h>

/* Keys of the two dictionaries are hashed and compared as bytes: no padding in them. */
struct instruction_key {
	int64_t ip;
	uint32_t location_id, symbol_id, dso_id;
	uint32_t caller_id, called_id; /* page faults */
	uint32_t zero;
};

struct access_kind_key {
	int64_t data_src, access_bytes, page_bytes;
	uint32_t evsel_id;
	int32_t addr_source, addr_reason, waited;
	int32_t memory_opcode, memory_level, memory_snoop, memory_lock, memory_dtlb, memory_blocked;
	int32_t remote, hops;
	int32_t object_reason, cpu_node_id, home_node_id, home_source;
	int32_t first, thread_pinned, page_pinned, reused;
	uint32_t has; /* KIND_HAS_* */
	uint32_t zero;
};

_Static_assert(sizeof(struct instruction_key) == 32, "padding");
_Static_assert(sizeof(struct access_kind_key) == 112, "padding");

enum { KIND_HAS_DATA_SRC = 1, KIND_HAS_ACCESS_BYTES = 2, KIND_HAS_PAGE_BYTES = 4 };

struct row_instruction {
	struct instruction_key key;
	uint32_t id;
};

struct row_access_kind {
	struct access_kind_key key;
	uint32_t id;
};

/* Also a page fault, which leaves out what follows object_offset. */
struct row_packed {
	uint32_t id, thread_id, instruction_id, kind_id, call_path_id, object_id, allocation_id;
	int32_t cpu;
	int64_t time, address, object_offset, period, weight, ins_lat, phys_address;
	uint32_t has; /* PACKED_HAS_* */
};

enum {
	PACKED_HAS_ADDRESS = 1,
	PACKED_HAS_OFFSET = 2,
	PACKED_HAS_WEIGHT = 4,
	PACKED_HAS_INS_LAT = 8,
	PACKED_HAS_PHYS = 16,
};

/* What a cell is about: sample_cells and fault_cells by code, allocation_cells by block. */
union cell_key {
	struct {
		uint32_t instruction_id, kind_id, thread_id, object_id;
	} code;
	struct {
		uint32_t allocation_id, evsel_id;
		int32_t addr_source;
		uint32_t zero;
	} block;
};

_Static_assert(sizeof(union cell_key) == 16, "padding");

struct row_cell {
	union cell_key key;
	int64_t samples, period, weighted, weighted_period;
	double period_sq, latency, latency_sq;
};

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lists the columns of samples and page faults once. The members of the structs, their NULL bits
 * and the INSERT statements are generated from these lists. sql/schema/50-sample.sql documents the
 * columns, next to the views that join them.
 *
 * Values that repeat from row to row are stored only once, in two dictionaries: one for the columns
 * of the instruction (its code), one for those of the kind of access.
 *
 * X(KIND, name): KIND gives the type of the member and how it expresses NULL:
 *
 *   ID    uint32_t  0
 *   ENUM  int32_t   -1
 *   INT   int64_t   never NULL
 *   OPT   int64_t   NULL until COLUMN_SET() sets it
 */
#ifndef MEMDB_DATABASE_SAMPLE_COLUMNS_H
#define MEMDB_DATABASE_SAMPLE_COLUMNS_H

#include <stddef.h>
#include <stdint.h>

/* INT and OPT come before the 32-bit kinds, so that the struct has no padding before its last
 * member `has`. Dictionary keys are the bytes of the struct up to the end of `has`. */
#define INSTRUCTION_COLUMNS(X) \
	X(INT, ip)             \
	X(ID, location_id)     \
	X(ID, symbol_id)       \
	X(ID, dso_id)          \
	X(ID, caller_id)       \
	X(ID, called_id)

#define ACCESS_KIND_COLUMNS(X)  \
	X(OPT, data_src)        \
	X(OPT, access_bytes)    \
	X(OPT, page_bytes)      \
	X(OPT, step)            \
	X(ID, evsel_id)         \
	X(ENUM, addr_source)    \
	X(ENUM, addr_reason)    \
	X(ENUM, memory_opcode)  \
	X(ENUM, memory_level)   \
	X(ENUM, memory_snoop)   \
	X(ENUM, memory_lock)    \
	X(ENUM, memory_dtlb)    \
	X(ENUM, memory_blocked) \
	X(ENUM, remote)         \
	X(ENUM, hops)           \
	X(ENUM, object_reason)  \
	X(ENUM, cpu_node_id)    \
	X(ENUM, home_node_id)   \
	X(ENUM, home_source)    \
	X(ENUM, first)          \
	X(ENUM, waited)         \
	X(ENUM, time_kind)      \
	X(ENUM, missed)         \
	X(ENUM, thread_pinned)  \
	X(ENUM, page_pinned)    \
	X(ENUM, reused)

/* The columns that both samples and page faults have and that are in no dictionary. The writer sets
 * instruction_id and kind_id, which refer to the dictionaries. */
#define FAULT_DATA_COLUMNS(X) \
	X(INT, time)          \
	X(OPT, address)       \
	X(OPT, object_offset) \
	X(ID, thread_id)      \
	X(ENUM, cpu)          \
	X(ID, instruction_id) \
	X(ID, kind_id)        \
	X(ID, call_path_id)   \
	X(ID, object_id)      \
	X(ID, allocation_id)

/* The columns that only samples have. */
#define SAMPLE_DATA_COLUMNS(X) \
	X(INT, period)         \
	X(OPT, weight)         \
	X(OPT, ins_lat)        \
	X(OPT, phys_address)

#define COLUMN_TYPE_ID            uint32_t
#define COLUMN_TYPE_ENUM          int32_t
#define COLUMN_TYPE_INT           int64_t
#define COLUMN_TYPE_OPT           int64_t
#define COLUMN_MEMBER(kind, name) COLUMN_TYPE_##kind name;

/* `has` must be the last member: a dictionary key ends with it. */
struct instruction {
	INSTRUCTION_COLUMNS(COLUMN_MEMBER)
	uint32_t has; /* HAS_* bits of the OPT members that are not NULL */
};

struct access_kind {
	ACCESS_KIND_COLUMNS(COLUMN_MEMBER)
	uint32_t has;
};

struct sample_data {
	SAMPLE_DATA_COLUMNS(COLUMN_MEMBER)
	FAULT_DATA_COLUMNS(COLUMN_MEMBER)
	uint32_t has;
	uint32_t id; /* counts from 1, separately for samples and for page faults */
};

/* HAS_name is the bit in `has` of the OPT column `name`. */
#define COLUMN_NUMBER(kind, name) NUMBER_##name,
#define COLUMN_BIT(kind, name)    HAS_##name = (int)(1u << NUMBER_##name),
enum { INSTRUCTION_COLUMNS(COLUMN_NUMBER) INSTRUCTION_COLUMN_COUNT };
enum { ACCESS_KIND_COLUMNS(COLUMN_NUMBER) ACCESS_KIND_COLUMN_COUNT };
enum { SAMPLE_DATA_COLUMNS(COLUMN_NUMBER) FAULT_DATA_COLUMNS(COLUMN_NUMBER) DATA_COLUMN_COUNT };
enum { INSTRUCTION_COLUMNS(COLUMN_BIT) };
enum { ACCESS_KIND_COLUMNS(COLUMN_BIT) };
enum { SAMPLE_DATA_COLUMNS(COLUMN_BIT) FAULT_DATA_COLUMNS(COLUMN_BIT) };

_Static_assert(INSTRUCTION_COLUMN_COUNT < 32 && ACCESS_KIND_COLUMN_COUNT < 32 &&
		       DATA_COLUMN_COUNT < 32,
	       "bits of has");

#define COLUMN_BYTES(kind, name) sizeof(COLUMN_TYPE_##kind) +
enum {
	INSTRUCTION_KEY_BYTES = INSTRUCTION_COLUMNS(COLUMN_BYTES) sizeof(uint32_t),
	ACCESS_KIND_KEY_BYTES = ACCESS_KIND_COLUMNS(COLUMN_BYTES) sizeof(uint32_t),
};

#define KEY_END(type) (offsetof(type, has) + sizeof(uint32_t))
_Static_assert(KEY_END(struct instruction) == INSTRUCTION_KEY_BYTES, "a gap in a key");
_Static_assert(KEY_END(struct access_kind) == ACCESS_KIND_KEY_BYTES, "a gap in a key");

/* The row of a sample or of a page fault. A page fault leaves the SAMPLE_DATA_COLUMNS unset. */
struct row_sample {
	struct sample_data data;
	struct instruction code;
	struct access_kind kind;
};

#define COLUMN_NULL_ID          0
#define COLUMN_NULL_ENUM        (-1)
#define COLUMN_NULL_INT         0
#define COLUMN_NULL_OPT         0
#define COLUMN_NULL(kind, name) .name = COLUMN_NULL_##kind,

/* Initializers: all columns are NULL, except that INT columns are 0. */
#define ACCESS_KIND_NULL                         \
	{                                        \
		ACCESS_KIND_COLUMNS(COLUMN_NULL) \
	}
#define ROW_SAMPLE_NULL                                                                       \
	{                                                                                     \
		.data = { SAMPLE_DATA_COLUMNS(COLUMN_NULL) FAULT_DATA_COLUMNS(COLUMN_NULL) }, \
		.code = { INSTRUCTION_COLUMNS(COLUMN_NULL) }, .kind = ACCESS_KIND_NULL,       \
	}

/* Sets an OPT column, for example COLUMN_SET(row.data, weight, 5). */
#define COLUMN_SET(part, name, value) \
	((part).name = (int64_t)(value), (part).has |= (uint32_t)HAS_##name)

#endif

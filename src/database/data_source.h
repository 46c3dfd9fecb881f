/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decodes the data source of a memory access (perf_mem_data_src in linux/perf_event.h). Each field
 * becomes the id of its value in a table of names (memory_opcodes, memory_levels, …), or -1 for
 * "not available"; `remote` and `hops` become numbers. Supports both encodings of the level: the
 * older bits, and mem_lvl_num with remote, hops and blk. */
#ifndef MEMDB_DATABASE_DATA_SOURCE_H
#define MEMDB_DATABASE_DATA_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "database/sample_columns.h"

/* Ids of memory_opcodes and memory_lock, for accesses that the import finds by decoding
 * instructions. */
enum { MEMORY_LOAD = 1, MEMORY_STORE, MEMORY_LOAD_STORE, MEMORY_PREFETCH, MEMORY_EXEC };
enum { MEMORY_LOCKED = 1, MEMORY_NOT_LOCKED };

/* Sets the members memory_opcode, memory_level, memory_snoop, memory_lock, memory_dtlb,
 * memory_blocked, remote and hops of *out. All of them become -1 if data_src is 0 or says "not
 * available" in every field. */
void memory_decode(uint64_t data_src, struct access_kind *out);

/* Returns the names in one of the tables of names, such as "memory_levels"; the list ends with
 * NULL. The id of a name is its index + 1. Returns NULL if there is no such table. */
const char *const *memory_table(const char *table);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decodes perf_mem_data_src. Each field becomes the id in its decode table (memory_opcodes,
 * memory_levels, …), or -1 for "not available". Supports the older level bits and
 * mem_lvl_num/remote/hops/blk.
 */
#ifndef MEMDB_DATABASE_MEMORY_H
#define MEMDB_DATABASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "database/sample_columns.h"

/* Ids of memory_opcodes and memory_lock. The import sets them itself for decoded accesses. */
enum { MEMORY_LOAD = 1, MEMORY_STORE, MEMORY_LOAD_STORE, MEMORY_PREFETCH, MEMORY_EXEC };
enum { MEMORY_LOCKED = 1, MEMORY_NOT_LOCKED };

/* Sets memory_opcode … memory_blocked, remote and hops of *out. Sets all of them to -1 if data_src
 * is 0, or PERF_MEM_NA in every field. */
void memory_decode(uint64_t data_src, struct access_kind *out);

/* Returns the names in the decode table `table`, ended by NULL; NULL means no such table. The id of
 * a name is its index + 1. */
const char *const *memory_table(const char *table);

#endif

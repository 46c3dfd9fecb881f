/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf_mem_data_src taken apart. Each field is the id in its decode table (memory_opcodes,
 * memory_levels, …) or -1 where the value says "not available"; both the old level bits and
 * mem_lvl_num/remote/hops/blk are understood.
 */
#ifndef MEMDB_DATABASE_MEMORY_H
#define MEMDB_DATABASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "database/sample_columns.h"

/* Ids of memory_opcodes and memory_lock: the importer itself sets them for decoded accesses. */
enum { MEMORY_LOAD = 1, MEMORY_STORE, MEMORY_LOAD_STORE, MEMORY_PREFETCH, MEMORY_EXEC };
enum { MEMORY_LOCKED = 1, MEMORY_NOT_LOCKED };

/* Sets memory_opcode … memory_blocked, remote and hops of *out: all -1 for 0 and for PERF_MEM_NA
 * everywhere. */
void memory_decode(uint64_t data_src, struct access_kind *out);

/* The rows of a decode table, by its name; NULL-terminated names, id = index + 1. */
const char *const *memory_table(const char *table);

#endif

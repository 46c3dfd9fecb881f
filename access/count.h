/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts exactly how often each instruction of a thread loads from or stores to each granule, and
 * on which level of the cache model. A count becomes a sample with the count as its period.
 */
#ifndef MEMDB_ACCESS_COUNT_H
#define MEMDB_ACCESS_COUNT_H

#include "stream.h"

/* The level of the model that had the line. Without a model all accesses are LEVEL_ANY. */
enum level { LEVEL_ANY, LEVEL_L2, LEVEL_L3, LEVEL_RAM, LEVELS, LEVEL_L1 = LEVEL_ANY };

/* Size of a granule, the unit of counting: malloc's alignment, so no granule has two blocks. */
#define GRANULE_BITS 4

struct cell {
	uint64_t granule; /* address >> GRANULE_BITS */
	uint64_t ip;      /* 0 means the cell is free */
	uint64_t address; /* first address and its time, ns; they identify the block that was there
			   */
	uint64_t time;
	uint64_t n[2][LEVELS]; /* loads, stores */
};

struct counts {
	struct cell *cells; /* open addressing */
	uint64_t room, used;
	struct cell *hot[1024]; /* the latest cell of an instruction, by ip */
	uint64_t from;          /* start of counting, ns */
};

/*
 * Limits of one counting interval: a thread's number of cells, and a time. Then the counts are
 * written and restart from 0. If a granule goes to another block meanwhile, its later accesses
 * count for the earlier block.
 */
enum { CELLS_MOST = 1 << 18 };
#define CELLS_NS UINT64_C(1000000000)

/* Returns the cell of an access, or NULL when out of memory. ip is not 0. */
struct cell *counts_find(struct counts *c, uint64_t ip, uint64_t address);

/* Writes all counts as samples and resets them. */
void counts_flush(struct counts *c, struct stream *s);

/*
 * Returns the value of union perf_mem_data_src for an access. modelled: level is one of the cache
 * model.
 */
uint64_t source_of(bool store, enum level level, bool modelled);

void counts_release(struct counts *c);

/* Does this process have a cache model? Set before the first access. */
extern bool counts_modelled;

#endif

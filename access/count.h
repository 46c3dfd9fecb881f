/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts how often each instruction of a thread loads from or stores to each granule, and at which
 * level of the simulated caches. A granule is 16 bytes of memory. A count becomes a sample whose
 * period is the count.
 */
#ifndef MEMDB_ACCESS_COUNT_H
#define MEMDB_ACCESS_COUNT_H

#include "stream.h"

/* The first level of the simulated caches that contained the line. Without simulation the level of
 * every access is LEVEL_ANY. */
enum level { LEVEL_ANY, LEVEL_L2, LEVEL_L3, LEVEL_RAM, LEVELS, LEVEL_L1 = LEVEL_ANY };

/* log2 of the granule's size. Blocks of malloc are aligned to 16 bytes, so no granule belongs to
 * two blocks. */
#define GRANULE_BITS 4

struct cell {
	uint64_t granule; /* number of the granule: address >> GRANULE_BITS */
	uint64_t ip;      /* the instruction; 0 means that the cell is free */
	/* address and time (ns) of the first access that was counted; they identify the heap block
	 * that was there */
	uint64_t address;
	uint64_t time;
	uint64_t n[2][LEVELS]; /* [0] loads, [1] stores */
};

struct counts {
	struct cell *cells; /* hash table with open addressing */
	uint64_t room, used;
	/* the cell that an instruction used last, indexed by a hash of ip */
	struct cell *hot[1024];
	uint64_t from; /* when counting began, ns */
};

/*
 * Counting is done in intervals. These are the limits of one: the number of cells of a thread, and
 * the time in ns. At a limit the counts are written and begin at 0 again. If a block is freed and
 * its memory allocated again during an interval, accesses to the later block count for the earlier
 * one.
 */
enum { CELLS_MOST = 1 << 18 };
#define CELLS_NS UINT64_C(1000000000)

/* Returns the cell of an access; NULL means out of memory. ip is not 0. */
struct cell *counts_find(struct counts *c, uint64_t ip, uint64_t address);

/* Writes all counts as samples, and sets them to 0. */
void counts_flush(struct counts *c, struct stream *s);

/*
 * Returns the union perf_mem_data_src of an access. `modelled` is true if `level` comes from
 * simulated caches.
 */
uint64_t source_of(bool store, enum level level, bool modelled);

void counts_release(struct counts *c);

/* Are caches simulated in this process? Set before the first access. */
extern bool counts_modelled;

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Exact counts: how often which instruction of a thread loaded from or stored to which granule, and
 * what the cache model said. A count becomes a sample whose period it is.
 */
#ifndef MEMDB_ACCESS_COUNT_H
#define MEMDB_ACCESS_COUNT_H

#include "stream.h"

/* Where the model found an access. Without a model all are LEVEL_ANY. */
enum level { LEVEL_ANY, LEVEL_L2, LEVEL_L3, LEVEL_RAM, LEVELS, LEVEL_L1 = LEVEL_ANY };

/* What is counted together: malloc's alignment, so that no two blocks are in one granule. */
#define GRANULE_BITS 4

struct cell {
	uint64_t granule; /* address >> GRANULE_BITS */
	uint64_t ip;      /* 0: no cell */
	uint64_t address; /* of its first access, and when that was, ns: of the block that was there
			   */
	uint64_t time;
	uint64_t n[2][LEVELS]; /* loads, stores */
};

struct counts {
	struct cell *cells; /* open addressing */
	uint64_t room, used;
	struct cell *hot[1024]; /* the last one of an instruction */
	uint64_t from;          /* when counting began, ns */
};

/* Beyond this number of a thread's cells, or after this time, they are written and begun anew: a
 * count whose granule came to another block in the meantime is the earlier block's. */
enum { CELLS_MOST = 1 << 18 };
#define CELLS_NS UINT64_C(1000000000)

/* The cell of an access; NULL: no memory. ip is not 0. */
struct cell *counts_find(struct counts *c, uint64_t ip, uint64_t address);

/* Writes all counts as samples, and forgets them. */
void counts_flush(struct counts *c, struct stream *s);

/* union perf_mem_data_src of an access. modelled: level is one of the cache model. */
uint64_t source_of(bool store, enum level level, bool modelled);

void counts_release(struct counts *c);

/* Of the whole process: is there a model? Set before the first access. */
extern bool counts_modelled;

#endif

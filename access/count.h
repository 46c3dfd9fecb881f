/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts how often each instruction of a thread loads from or stores to each granule, and at which
 * level of the simulated caches. A granule is 16 bytes of memory; among static variables, of which
 * several may be in 16 bytes, it is as large as the accesses of the instruction, 4 to 16 bytes.
 * Each count is written as a sample whose period is the count.
 */
#ifndef MEMDB_ACCESS_COUNT_H
#define MEMDB_ACCESS_COUNT_H

#include "owners.h"
#include "stream.h"

/* The level at which the simulated caches found the line. Without simulation every access has
 * LEVEL_ANY. */
enum level { LEVEL_ANY, LEVEL_L2, LEVEL_L3, LEVEL_RAM, LEVELS, LEVEL_L1 = LEVEL_ANY };

struct cell {
	uint64_t granule; /* address of the granule */
	uint64_t mask;    /* the bits of an address that are equal within the granule */
	uint64_t ip;      /* the instruction; 0 means that the cell is free */
	uint32_t epoch;   /* of the granule (owners.h) */
	uint32_t seen;    /* owners_changes when this was last the granule's epoch */
	uint32_t age;     /* number of older cells of the interval */
	/* address and time (ns) of the first counted access; from these the importer finds the heap
	 * block that was there */
	uint64_t address;
	uint64_t time;
	uint64_t n[2][LEVELS]; /* [0] loads, [1] stores */
	/* number of these accesses for which the cache line had to move from another thread; 32
	 * bits are enough for one interval */
	uint32_t moved[2][LEVELS];
};

struct counts {
	struct cell *cells; /* hash table with open addressing */
	uint64_t room, used;
	/* the cells that were used last, indexed by ip modulo 1024; they save most searches of the
	 * hash table */
	struct cell *hot[1024];
	uint64_t from;  /* when the interval began, ns */
	uint64_t lasts; /* length of the interval, ns; 0 means CELLS_LEAST_NS */
	uint32_t looks; /* number of calls of counts_due() */
};

/* Accesses are counted in intervals. A thread's interval ends when the thread has more than
 * CELLS_MOST cells, or after CELLS_NS ns. The first intervals are shorter, so that even a process
 * that is killed early has written something. At the end of an interval, the counts are written, in
 * the order of the first accesses, and set to 0. If a block is freed and its memory allocated
 * again, each of the two blocks has its own cells (owners.h).
 */
enum { CELLS_MOST = 1 << 18 };
#define CELLS_LEAST_NS UINT64_C(62500000)
#define CELLS_NS       UINT64_C(1000000000)

/* Returns the cell that counts accesses of the instruction ip to the granule of the `bytes` bytes
 * at `address` in its epoch; a new cell if there was none. NULL means out of memory. ip must not be
 * 0. */
struct cell *counts_find(struct counts *c, uint64_t ip, uint64_t address, unsigned bytes);

/* Has counts_find() already made the cell of this instruction and granule in this interval and
 * this epoch? */
bool counts_known(const struct counts *c, uint64_t ip, uint64_t address, unsigned bytes);

/* counts_over(): has the time of the interval passed? counts_due(): must the interval end now,
 * because of its time or because there are too many cells? counts_due() is called for each access,
 * so it reads the clock only in some calls. */
bool counts_over(const struct counts *c);
bool counts_due(struct counts *c);

/* Should a thread that may now wait for a long time write its counts first? If a signal kills the
 * process meanwhile, they would be lost. True if the interval is so long that a thread that waits
 * again and again spends only a small part of its time on writing. */
bool counts_worth_writing(const struct counts *c);

/* Writes all counts as samples, and sets them to 0. Begins the next interval. */
void counts_flush(struct counts *c, struct stream *s);

/* Whether the line of an access had to move from another thread; MOVEMENT_UNKNOWN if memdb does not
 * look for movements. */
enum movement { MOVEMENT_UNKNOWN, MOVEMENT_NONE, MOVEMENT_MOVED };

/* Returns the union perf_mem_data_src that describes a load or store whose line was found at
 * `level`. `modelled` says whether `level` comes from simulated caches. */
uint64_t source_of(bool store, enum level level, bool modelled, enum movement movement);

void counts_release(struct counts *c);

/* Are caches simulated in this process? Must be set before the first access. */
extern bool counts_modelled;

#endif

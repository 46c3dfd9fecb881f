/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts how often each instruction of a thread loads from or stores to each granule, and at which
 * level of the simulated caches. A granule is 16 bytes of memory; among static variables, of which
 * several may be in 16 bytes, it is as large as the accesses of the instruction, 4 to 16 bytes,
 * except in pages that belong to one variable (variables.h). Each count is written as a sample
 * whose period is the count.
 */
#ifndef MEMDB_ACCESS_COUNT_H
#define MEMDB_ACCESS_COUNT_H

#include "owners.h"
#include "stream.h"

/* The level at which the simulated caches found the line. Without simulation every access has
 * LEVEL_ANY. */
enum level { LEVEL_ANY, LEVEL_L2, LEVEL_L3, LEVEL_RAM, LEVELS, LEVEL_L1 = LEVEL_ANY };

/* An access that is counted. */
struct counted {
	uint64_t ip, address; /* ip must not be 0 */
	unsigned bytes;
	bool store;
	enum level level;
	bool moved; /* whether the cache line had to move from another thread */
};

struct cell {
	uint64_t ip;
	/* address and time (ns) of the first counted access; from these the importer finds the heap
	 * block that was there */
	uint64_t address, time;
	uint64_t mask;  /* the bits of an address that are equal within the granule */
	uint64_t epoch; /* of the granule (owners.h) */
	uint64_t n;
	uint32_t seen; /* owners_changes when this was last the granule's epoch */
	uint8_t kind;  /* load or store, level and movement: see kind_of() */
};

/* The cells are stored in the order of their first accesses. A hash table with open addressing
 * finds them: so new cells, which are used most, are near each other, and a search seldom reads
 * a cell in vain. */
struct counts {
	struct cell *cells;
	uint32_t used;
	/* For each place of the hash table, 0 or the number of a cell + 1, and above it some bits
	 * of the hash. `room` is the number of places. */
	uint32_t *places;
	uint32_t room;
	/* the cells that were used last, indexed by ip and kind; they save most searches */
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

/* Counts an access. Returns false if it could not, because there is no memory. */
bool counts_add(struct counts *c, const struct counted *a);

/* Was an access of this instruction, granule and kind counted in this interval and in this epoch?
 */
bool counts_known(const struct counts *c, const struct counted *a);

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

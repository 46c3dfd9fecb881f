/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Estimates how the accesses of a loop share the caches, and how long each is expected to wait.
 *
 * A cache keeps a line until the loop has touched as many other lines as the cache holds (LRU). The
 * number of iterations that this takes, the *reach* of the cache, is the same for all accesses
 * (Che, Tung & Wang 2002). An access that is scattered over n lines finds its line evicted with
 * probability exp(-reach / n). A stream touches a new line every few iterations.
 */
#ifndef MEMDB_WAITS_REACH_H
#define MEMDB_WAITS_REACH_H

#include <stdbool.h>
#include <stdint.h>

enum { CACHE_LEVELS = 3, CACHE_LINE = 64 /* bytes */ };

/* Size in bytes, and latency in cycles, of each data cache. `memory` is the latency of an access
 * that misses all caches. */
struct wait_caches {
	struct {
		uint64_t bytes;
		double cycles;
	} level[CACHE_LEVELS];
	double memory;
};

/* Sets the sizes of the caches from bytes[], first level first, and the latency of the last level,
 * which grows with its size. A size of 0 means that the machine has no such level or that its size
 * is unknown. A level whose size is 0, or less than that of the level before it, gets the size of
 * that level. Returns false, with *c unchanged, if the size of the first level is 0. */
bool wait_caches_set(struct wait_caches *c, const uint64_t bytes[CACHE_LEVELS]);

/* For recordings that do not contain the sizes: 48 KiB, 1 MiB, 32 MiB. The latencies are typical of
 * CPUs of the last ten years. They need not be exact: the shares depend only on the ratios of
 * latencies. */
extern const struct wait_caches wait_caches_default;

/* What nested loops show of an access (reuse.h): how many lines it fetches from beyond each cache
 * level each time it runs. It depends on how often the loops run; `most` and `least` are for what
 * is not known of that. */
struct reach_fetched {
	float most[CACHE_LEVELS], least[CACHE_LEVELS];
};

/* One memory access in the loop. */
struct reach_access {
	double footprint; /* bytes that the access touches in all iterations together */
	double rate;      /* bytes per ns by which its address advances; 0 means unknown */
	bool in_order;
	/* whether no addresses are known, or too few to judge them. Then `footprint` is at most the
	 * size of the object, and only the code shows whether the addresses are in order */
	bool unseen;
	uint8_t bytes;    /* bytes of one address; 0 means unknown */
	uint8_t elements; /* number of its addresses in an iteration; 0 counts as 1 */
	const struct reach_fetched *fetched; /* NULL means unknown */
	/* lowest and highest address of one thread; 0 means unknown */
	uint64_t low, high;
	uint32_t thread;
};

/* Does the access certainly come back to lines while they are in the first two levels? If it is not
 * certain, only `least` is below 1. */
static inline bool reach_comes_back(const struct reach_fetched *f)
{
	return f && (f->most[0] < 1 || f->most[1] < 1);
}

/* Do two accesses to one object go through the same part of it, so that they touch the same cache
 * lines? Arrays that are parts of one object have ranges of their own. Assumed if a range is
 * unknown. */
bool reach_same_part(const struct reach_access *a, const struct reach_access *b);

/* Computes reach[] for each cache level: the number of iterations of the loop for which a line
 * stays in the cache after its last use. INFINITY means that everything fits into the level. The n
 * accesses must not share cache lines. */
void reach_find(const struct reach_access *a, unsigned n, const struct wait_caches *c,
		double reach[CACHE_LEVELS]);

/* Returns for how many cycles the access is expected to wait. reach[] is what reach_find()
 * computed. */
double reach_wait(const struct reach_access *a, const double reach[CACHE_LEVELS],
		  const struct wait_caches *c);

/* The same for an access that fetches fetched[] lines, `most` or `least` of a->fetched. The caches
 * have the latencies in *c. */
double reach_fetches(const struct reach_access *a, const float fetched[CACHE_LEVELS],
		     const double reach[CACHE_LEVELS], const struct wait_caches *c);

/* Does the access go through memory in order, over more bytes than the second cache level has? Not
 * if it comes back to the same lines before they have left that level. */
bool reach_is_stream(const struct reach_access *a, const struct wait_caches *c);

#endif

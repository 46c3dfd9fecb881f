/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Estimates how the accesses of a loop share the caches, and how long each is expected to wait.
 *
 * An LRU cache keeps a line until the loop has touched as many other lines as the cache holds. The
 * number of iterations until then, its *reach*, is the same for all accesses (Che, Tung & Wang
 * 2002). An access that is scattered over n lines finds its line evicted with probability
 * exp(-reach / n). A stream touches a new line every few iterations.
 */
#ifndef MEMDB_WAITS_REACH_H
#define MEMDB_WAITS_REACH_H

#include <stdbool.h>
#include <stdint.h>

enum { CACHE_LEVELS = 3 };

/* Sizes in bytes and latencies in cycles. An access that misses all caches costs `memory`. */
struct wait_caches {
	struct {
		uint64_t bytes;
		double cycles;
	} level[CACHE_LEVELS];
	double memory;
};

/* Sets the sizes from those of a machine's data caches, the first level first. 0 means no such
 * level or an unknown size; that level then has the size of the previous one. Returns false, with
 * *c unchanged, if the first is 0. */
bool wait_caches_set(struct wait_caches *c, const uint64_t bytes[CACHE_LEVELS]);

/* Used if the recording does not contain the sizes: 48 KiB, 1 MiB, 32 MiB. The latencies are
 * typical of the last ten years; shares depend only on their ratios. */
extern const struct wait_caches wait_caches_default;

/* One access of the loop. */
struct reach_access {
	double footprint; /* bytes that the access touches over all iterations */
	bool in_order;
	uint8_t bytes; /* bytes of one access; 0 means unknown */
};

/* Finds the reach of each level in iterations; INFINITY: everything fits. The n accesses share no
 * lines. */
void reach_find(const struct reach_access *a, unsigned n, const struct wait_caches *c,
		double reach[CACHE_LEVELS]);

/* Returns the expected wait of an access, cycles. */
double reach_wait(const struct reach_access *a, const double reach[CACHE_LEVELS],
		  const struct wait_caches *c);

/* Is the access in order, over more bytes than the second cache level holds? */
bool reach_is_stream(const struct reach_access *a, const struct wait_caches *c);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compares what a loop's memory takes with what its arithmetic takes. Both go on at the same time,
 * so the longer one limits the loop: a chain of additions over an array in the second-level cache
 * is no faster if the array is in the first, because the hardware prefetches the array meanwhile.
 *
 * An iteration's arithmetic is known from its instructions (struct wait_loop). Its memory takes the
 * bytes that its streams advance, at the bandwidth of the cache level that holds them, and the
 * latency of its other misses, of which several are under way together. Bandwidths and latencies
 * differ between machines by a factor of 4 or so, hence the answer "cannot tell".
 */
#ifndef MEMDB_WAITS_PACE_H
#define MEMDB_WAITS_PACE_H

#include "waits/reach.h"
#include "waits/waits.h"

enum { PACE_MOST = WAIT_WAYS * WAIT_CANDIDATES + WAIT_AHEAD };

/* One access of the loop. */
struct pace_access {
	uint32_t insn, object;
	int32_t step; /* as in struct wait_access */
	bool stores;  /* it only stores */
	/* its address comes from the value that it loaded in the previous iteration */
	bool recurrent;
	struct reach_access access;
};

enum pace {
	PACE_MEMORY,     /* memory takes longer, or the loop's accesses are not known */
	PACE_UNCLEAR,    /* either may take longer */
	PACE_ARITHMETIC, /* arithmetic takes at least as long, on slow memory too */
};

/* Judges a loop by its n accesses. `reach` is that of reach_find(). */
enum pace pace_judge(const struct wait_loop *l, const struct pace_access *a, unsigned n,
		     const struct wait_caches *c, const double reach[CACHE_LEVELS]);

#endif

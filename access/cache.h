/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Models set-associative caches with least-recently-used replacement. The model has no prefetching
 * and no coherence, so its misses differ from hardware's.
 */
#ifndef MEMDB_ACCESS_CACHE_H
#define MEMDB_ACCESS_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#define CACHE_LINE_BITS 6

struct cache {
	uint64_t *tags; /* sets × ways lines; each set is sorted by last use, the latest first; 0
			   means none */
	uint64_t sets;
	uint32_t ways;
};

struct cache_shape {
	uint64_t bytes;
	uint32_t ways;
};

/* Makes an empty cache. False when out of memory. */
bool cache_make(struct cache *c, const struct cache_shape *shape);
void cache_release(struct cache *c);

/* Uses a line (an address >> CACHE_LINE_BITS). Returns true if the line was in the cache. */
static inline bool cache_use(struct cache *c, uint64_t line)
{
	uint64_t *set = &c->tags[line % c->sets * c->ways], before = set[0];

	if (before == line)
		return true;
	set[0] = line;
	for (uint32_t i = 1; i < c->ways; i++) {
		uint64_t here = set[i];

		set[i] = before;
		if (here == line)
			return true;
		before = here;
	}
	return false;
}

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A model of set-associative caches with least-recently-used replacement. No prefetching, no
 * coherence: what it calls a miss is one of the model.
 */
#ifndef MEMDB_ACCESS_CACHE_H
#define MEMDB_ACCESS_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#define CACHE_LINE_BITS 6

struct cache {
	uint64_t *tags; /* sets × ways lines, those of a set by their last use; 0: none */
	uint64_t sets;
	uint32_t ways;
};

struct cache_shape {
	uint64_t bytes;
	uint32_t ways;
};

/* False: no memory. */
bool cache_make(struct cache *c, const struct cache_shape *shape);
void cache_release(struct cache *c);

/* Uses a line (an address >> CACHE_LINE_BITS). True: it was there. */
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

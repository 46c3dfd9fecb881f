/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Simulates set-associative caches that replace the least recently used line. The simulated caches
 * do not prefetch and are not coherent between CPUs, so they may have more or fewer misses than
 * hardware. */
#ifndef MEMDB_ACCESS_CACHE_H
#define MEMDB_ACCESS_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#define CACHE_LINE_BITS 6

struct cache {
	/* numbers of the cached lines, `ways` for each set, the most recently used first; 0 means
	 * an empty entry */
	uint64_t *tags;
	uint64_t sets;
	uint32_t ways;
};

struct cache_shape {
	uint64_t bytes;
	uint32_t ways;
};

/* Makes an empty cache. Returns false when out of memory. */
bool cache_make(struct cache *c, const struct cache_shape *shape);
void cache_release(struct cache *c);

/* Accesses the line with this number (address >> CACHE_LINE_BITS). Returns whether the line was in
 * the cache. If not, puts the line there. */
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

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cache.h"

#include "room.h"

bool cache_make(struct cache *c, const struct cache_shape *shape)
{
	const uint64_t lines = shape->bytes >> CACHE_LINE_BITS;

	c->ways = shape->ways ? shape->ways : 1;
	c->sets = lines > c->ways ? lines / c->ways : 1;
	c->tags = room_take(c->sets * c->ways * sizeof(c->tags[0]));
	return c->tags != NULL;
}

void cache_release(struct cache *c)
{
	room_give(c->tags, c->sets * c->ways * sizeof(c->tags[0]));
	c->tags = NULL;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "database/cells.h"

/* A recording may claim any period and weight; 2^42 of each (more than an hour in ns) can be summed
 * two million times before SQLite's sum() would overflow. */
static int64_t bounded(int64_t v)
{
	const int64_t max = (int64_t)1 << 42;

	return v < 0 || v > max ? max : v;
}

void cells_release(struct cells *c)
{
	dictionary_release(&c->keys);
	free(c->rows);
	c->rows = NULL;
	c->cap = 0;
}

void cells_clear(struct cells *c)
{
	dictionary_clear(&c->keys);
}

bool cells_add(struct cells *c, const union cell_key *key, const struct row_packed *r)
{
	bool is_new;
	uint32_t id = dictionary_id(&c->keys, key, &is_new);
	struct row_cell *cell;

	if (!id || (id > c->cap && !vec_grow((void **)&c->rows, &c->cap, sizeof(*c->rows))))
		return false;
	cell = &c->rows[id - 1];
	if (is_new)
		*cell = (struct row_cell){ .key = *key };
	cell->samples++;
	cell->period += bounded(r->period);
	if ((r->has & PACKED_HAS_WEIGHT) && r->weight) { /* 0: the hardware did not measure */
		cell->weighted++;
		cell->weight += bounded(r->weight);
	}
	return true;
}

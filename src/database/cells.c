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
	free(c->sums);
	c->sums = NULL;
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
	struct cell_sums *cell;

	if (!id || (id > c->cap && !vec_grow((void **)&c->sums, &c->cap, sizeof(*c->sums))))
		return false;
	cell = &c->sums[id - 1];
	if (is_new)
		*cell = (struct cell_sums){ 0 };
	cell->samples++;
	cell->period += bounded(r->period);
	if ((r->has & PACKED_HAS_WEIGHT) && r->weight) { /* 0: the hardware did not measure */
		cell->weighted++;
		cell->weight += bounded(r->weight);
	}
	return true;
}

void cells_row(const struct cells *c, uint32_t i, struct row_cell *row)
{
	const struct cell_sums *s = &c->sums[i];

	memcpy(&row->key, c->keys.keys + i * sizeof(row->key), sizeof(row->key));
	row->samples = s->samples;
	row->period = s->period;
	row->weighted = s->weighted;
	row->weight = s->weight;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "database/cells.h"

/* A damaged recording may have any period and weight. With each limited to 2^42 (more than an hour
 * in ns), SQLite's sum() does not overflow before two million samples. */
static int64_t clamp_sum(int64_t v)
{
	const int64_t max = (int64_t)1 << 42;

	return v < 0 || v > max ? max : v;
}

void cells_release(struct cells *c)
{
	dictionary_release(&c->keys);
	free(c->sums.at);
	memset(&c->sums, 0, sizeof(c->sums));
}

void cells_clear(struct cells *c)
{
	dictionary_clear(&c->keys);
}

/* weight 0: the hardware did not measure it */
static void add_sample(struct cell_sums *cell, int64_t period, int64_t weight)
{
	double p = (double)period, latency = p * (double)weight;

	cell->samples++;
	cell->period += period;
	cell->period_sq += p * p;
	if (!weight)
		return;
	cell->weighted++;
	cell->weighted_period += period;
	cell->latency += latency;
	cell->latency_sq += latency * latency;
}

bool cells_add(struct cells *c, const union cell_key *key, const struct sample_data *r)
{
	bool is_new;
	uint32_t id = dictionary_id(&c->keys, key, &is_new);
	struct cell_sums *cell;

	if (!VEC_HAS_ID(&c->sums, id))
		return false;
	cell = &AT_ID(c->sums, id);
	if (is_new)
		*cell = (struct cell_sums){ 0 };
	add_sample(cell, clamp_sum(r->period), r->has & HAS_weight ? clamp_sum(r->weight) : 0);
	return true;
}

void cells_row(const struct cells *c, uint32_t i, struct row_cell *row)
{
	const struct cell_sums *s = &c->sums.at[i];

	memcpy(&row->key, c->keys.keys + i * sizeof(row->key), sizeof(row->key));
	row->samples = s->samples;
	row->period = s->period;
	row->period_sq = s->period_sq;
	row->weighted = s->weighted;
	row->weighted_period = s->weighted_period;
	row->latency = s->latency;
	row->latency_sq = s->latency_sq;
}

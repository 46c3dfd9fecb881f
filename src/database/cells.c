/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sums samples by instruction, kind of access, thread and object, in a hash table. A cell is the
 * sum of the samples that agree in all four. Queries then read the cells and not all samples.
 */
#include "database/cells.h"

#include "base/count.h"

/* Limits a period or weight to 2^42 (more than an hour in ns). A damaged recording may contain
 * larger values, and SQLite's sum() fails when it overflows. With this limit two million samples
 * fit. */
static int64_t clamp_sum(int64_t v)
{
	const int64_t max = (int64_t)1 << 42;

	return v < 0 || v > max ? max : v;
}

/* The size of the keys stays set, so the cells can be filled again. */
void cells_release(struct cells *c)
{
	dictionary_release(&c->keys);
	free(c->sums.at);
	memset(&c->sums, 0, sizeof(c->sums));
}

/* Removes all cells and keeps the memory for the next ones. */
void cells_clear(struct cells *c)
{
	dictionary_clear(&c->keys);
}

/* Adds a sample to a cell. weight 0 means that the hardware did not measure the latency. */
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

/* Adds a sample to the cell of its key. A sample without a weight adds nothing to the sums of
 * latency. */
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

/* The dictionary packs the keys, so a key is not aligned and must be copied. */
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

static const char *const ends[] = { "freed", "resized", "reused", "process end", NULL };

/* Returns the position of the reason in ends[]. The last position stands for NULL (still alive
 * at the end) and for unknown reasons. */
static uint8_t end_of(const char *reason)
{
	uint8_t i = 0;

	while (ends[i] && (!reason || strcmp(ends[i], reason)))
		i++;
	return i;
}

/* Returns n such that 2^(n-1) <= v < 2^n; 0 for 0. */
static uint8_t bits_of(uint64_t v)
{
	return v ? (uint8_t)(64 - __builtin_clzll(v)) : 0;
}

void block_cells_release(struct block_cells *c)
{
	dictionary_release(&c->keys);
	free(c->sums.at);
	memset(&c->sums, 0, sizeof(c->sums));
}

void block_cells_clear(struct block_cells *c)
{
	dictionary_clear(&c->keys);
	memset(c->recent, 0, sizeof(c->recent));
}

/* Returns the cache entry in which the key would be. The multiplications mix the words of the
 * key, so that similar keys fall into different entries. */
static struct recent_block_key *recent_of(struct block_cells *c, const union block_key *k)
{
	uint64_t h = (k->words[0] ^ k->words[1] * UINT64_C(0x9e3779b97f4a7c15)) *
		     UINT64_C(0xff51afd7ed558ccd);

	return &c->recent[(h >> 32) % RECENT_BLOCK_KEYS];
}

/* Returns the sums of the blocks with this key; NULL means out of memory. */
static struct block_sums *sums_of(struct block_cells *c, const union block_key *key)
{
	struct recent_block_key *recent = recent_of(c, key);
	bool is_new;

	if (recent->id && recent->key.words[0] == key->words[0] &&
	    recent->key.words[1] == key->words[1])
		return &AT_ID(c->sums, recent->id);
	recent->id = dictionary_id(&c->keys, key, &is_new);
	recent->key = *key;
	if (!VEC_HAS_ID(&c->sums, recent->id)) {
		recent->id = 0;
		return NULL;
	}
	if (is_new)
		AT_ID(c->sums, recent->id) = (struct block_sums){ 0 };
	return &AT_ID(c->sums, recent->id);
}

/* Sizes and lifetimes are counted by their power of two. That is enough for a histogram and
 * needs few cells. */
bool block_cells_add(struct block_cells *c, const struct row_block *b)
{
	const union block_key key = {
		.object_id = b->object_id,
		.thread_id = b->thread_id,
		.end_thread_id = b->end_thread_id,
		.size_bits = bits_of(b->size_bytes),
		.life_bits = bits_of(b->end_reason ? b->life_ns : 0),
		.end = end_of(b->end_reason),
		.hit = b->hit,
	};
	struct block_sums *sums = sums_of(c, &key);

	if (!sums)
		return false;
	sums->blocks += b->stands_for;
	sums->bytes += b->size_bytes * b->stands_for;
	sums->stored += b->stored;
	return true;
}

/* A block that was still alive at the end has no lifetime. */
void block_cells_row(const struct block_cells *c, uint32_t i, struct row_block_cell *row)
{
	const struct block_sums *s = &c->sums.at[i];
	union block_key key;

	memcpy(&key, c->keys.keys + i * sizeof(key), sizeof(key));
	*row = (struct row_block_cell){
		.object_id = key.object_id,
		.thread_id = key.thread_id,
		.end_thread_id = key.end_thread_id,
		.size_bits = key.size_bits,
		.life_bits = key.life_bits,
		.end_reason = ends[key.end],
		.hit = key.hit,
		.blocks = (int64_t)s->blocks,
		.bytes = (int64_t)s->bytes,
		.stored = (int64_t)s->stored,
		.has = ends[key.end] ? HAS_BLOCK_LIFE : 0,
	};
}

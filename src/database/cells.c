/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sums samples by instruction, kind of access, thread and object, in a hash table. A cell is the
 * sum of all samples with equal values of these four. The cells become rows of the table
 * `sample_cells`, which queries read instead of all samples. Page faults, heap blocks and
 * operations without a memory access have cells, too.
 *
 * A sample waits in `pending` until PENDING_CELLS samples have been collected; cells.h says why.
 *
 * What must stay true: pending samples are added in the order in which they came. A new cell gets
 * the next id, so the same recording always gives the same rows in the same order.
 */
#include "database/cells.h"

#include "base/count.h"
#include "model/objects.h"

/* Limits a period or weight to 2^42, which is more than an hour in ns. A damaged recording may
 * contain larger values, or negative ones, which become 2^42, too. SQLite's sum() fails when it
 * overflows. sum() can add two million values of 2^42. */
static int64_t clamp_sum(int64_t v)
{
	const int64_t max = (int64_t)1 << 42;

	return v < 0 || v > max ? max : v;
}

/* Keeps keys.key_size, so that samples can be added again. */
void cells_release(struct cells *c)
{
	dictionary_release(&c->keys);
	free(c->sums.at);
	memset(&c->sums, 0, sizeof(c->sums));
}

void cells_clear(struct cells *c)
{
	dictionary_clear(&c->keys);
	c->hashes.n = 0;
}

/* Adds a sample to a cell. `weight` is the sample's latency; 0 means that the hardware did not
 * measure it. */
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

/* Starts to load into the processor's cache the cell to which a pending sample probably belongs.
 * `hash` is the hash of the sample's key; `sums` is the array of cells, with elements of sums_size
 * bytes. */
static void prefetch_cell(const struct dictionary *keys, uint32_t hash, const void *sums,
			  size_t sums_size)
{
	uint32_t id = dictionary_guess(keys, hash);

	if (!id)
		return;
	__builtin_prefetch(dictionary_key(keys, id));
	__builtin_prefetch((const char *)sums + (id - 1) * sums_size);
}

/* Returns the id of the cell with this key, and sets *is_new if it has been added. The cell is
 * nearly always the first one with this hash, so the first one is compared first. */
static uint32_t cell_id(struct dictionary *keys, const uint64_t key[2], uint32_t hash, bool *is_new)
{
	uint32_t id = dictionary_guess(keys, hash);
	uint64_t words[2];

	*is_new = false;
	if (id) {
		memcpy(words, dictionary_key(keys, id), sizeof(words));
		if (words[0] == key[0] && words[1] == key[1])
			return id;
	}
	return dictionary_id_hashed(keys, key, hash, is_new);
}

static bool add_pending_sample(void *cells, uint32_t i)
{
	struct cells *c = cells;
	const struct pending_sample *p = &c->pending[i];
	bool is_new;
	uint32_t id = cell_id(&c->keys, p->key.words, c->hashes.at[i], &is_new);
	struct cell_sums *cell;

	if (!VEC_HAS_ID(&c->sums, id))
		return false;
	cell = &AT_ID(c->sums, id);
	if (is_new)
		*cell = (struct cell_sums){ 0 };
	add_sample(cell, p->period, p->weight);
	return true;
}

/* Calls add(cells, i) for every pending sample or block i. Before that, starts to load their cells
 * into the processor's cache, so that the loads overlap. Afterwards nothing is pending, even if
 * memory ran out. */
static inline bool complete(struct pending_hashes *hashes, const struct dictionary *keys,
			    const void *sums, size_t sums_size, bool add(void *cells, uint32_t i),
			    void *cells)
{
	const uint32_t n = hashes->n;
	bool ok = true;

	hashes->n = 0;
	for (uint32_t i = 0; i < n; i++)
		prefetch_cell(keys, hashes->at[i], sums, sums_size);
	for (uint32_t i = 0; i < n && ok; i++)
		ok = add(cells, i);
	return ok;
}

bool cells_complete(struct cells *c)
{
	return complete(&c->hashes, &c->keys, c->sums.at, sizeof(c->sums.at[0]), add_pending_sample,
			c);
}

/* A sample without a weight (its measured latency) is left out of the sums of latency. */
bool cells_add(struct cells *c, const union cell_key *key, const struct sample_data *r)
{
	const uint32_t hash = index_hash(key->words[0], key->words[1]), i = c->hashes.n++;

	dictionary_prefetch(&c->keys, hash);
	c->hashes.at[i] = hash;
	c->pending[i] = (struct pending_sample){
		.key = *key,
		.period = clamp_sum(r->period),
		.weight = r->has & HAS_weight ? clamp_sum(r->weight) : 0,
	};
	return c->hashes.n < PENDING_CELLS || cells_complete(c);
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

/* Returns the number of bits of v: n with 2^(n-1) <= v < 2^n; 0 for 0. */
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
	c->hashes.n = 0;
}

static bool add_pending_block(void *cells, uint32_t i)
{
	struct block_cells *c = cells;
	const struct pending_block *p = &c->pending[i];
	bool is_new;
	uint32_t id = cell_id(&c->keys, p->key.words, c->hashes.at[i], &is_new);
	struct block_sums *sums;

	if (!VEC_HAS_ID(&c->sums, id))
		return false;
	sums = &AT_ID(c->sums, id);
	if (is_new)
		*sums = (struct block_sums){ 0 };
	sums->blocks += p->stands_for;
	sums->bytes += p->bytes * p->stands_for;
	sums->stored += p->stored;
	return true;
}

bool block_cells_complete(struct block_cells *c)
{
	return complete(&c->hashes, &c->keys, c->sums.at, sizeof(c->sums.at[0]), add_pending_block,
			c);
}

/* Blocks are grouped into cells by the power of two of their size and of their lifetime: enough for
 * a histogram, and few cells. */
bool block_cells_add(struct block_cells *c, const struct row_block *b)
{
	const uint32_t i = c->hashes.n++;
	struct pending_block *p = &c->pending[i];
	uint32_t hash;

	p->key = (union block_key){
		.object_id = b->object_id,
		.thread_id = b->thread_id,
		.end_thread_id = b->end_thread_id,
		.size_bits = bits_of(b->size_bytes),
		.life_bits = bits_of(b->end == BLOCK_LIVES ? 0 : b->life_ns),
		.end = b->end,
		.hit = b->hit,
	};
	hash = index_hash(p->key.words[0], p->key.words[1]);
	c->hashes.at[i] = hash;
	dictionary_prefetch(&c->keys, hash);
	p->bytes = b->size_bytes;
	p->stands_for = b->stands_for;
	p->stored = b->stored;
	return c->hashes.n < PENDING_CELLS || block_cells_complete(c);
}

/* A block that was alive at the end of the recording has no lifetime: the column is NULL. */
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
		.end_reason = block_end_name(key.end),
		.hit = key.hit,
		.blocks = (int64_t)s->blocks,
		.bytes = (int64_t)s->bytes,
		.stored = (int64_t)s->stored,
		.has = key.end == BLOCK_LIVES ? 0 : HAS_BLOCK_LIFE,
	};
}

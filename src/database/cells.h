/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sums samples as they pass, at 20 ns a sample. SQLite would need a microsecond a sample to sort
 * them afterwards.
 */
#ifndef MEMDB_DATABASE_CELLS_H
#define MEMDB_DATABASE_CELLS_H

#include "database/dictionary.h"
#include "database/rows.h"
#include "database/writer_rows.h"

/* The sums of the samples in a cell. A sample represents `period` events, so each of its values
 * counts that many times. */
struct cell_sums {
	int64_t period, weighted_period;
	double period_sq, latency, latency_sq; /* of latency: weight * period */
	uint32_t samples, weighted;
};

struct cells {
	struct dictionary keys;
	struct {
		struct cell_sums *at; /* by id of the key */
		uint32_t n, cap;
	} sums;
};

/* Limit on cells in memory: when it is reached, they are written and counting starts again. That
 * bounds the memory to 50 MB. A cell may then have several rows, which is correct because readers
 * sum them. */
enum { CELLS_MAX = 1 << 19 };

/* { .keys.key_size = sizeof(union cell_key) } is empty. */
void cells_release(struct cells *c);

/* Adds one sample to the sums of its cell. False when out of memory. */
bool cells_add(struct cells *c, const union cell_key *key, const struct sample_data *r);
void cells_clear(struct cells *c);

/* Fills in the row of cell i, 0 <= i < keys.count. */
void cells_row(const struct cells *c, uint32_t i, struct row_cell *row);

/*
 * The same for blocks: rows of block_cells. There are a hundred times as many blocks as samples.
 * The keys of most blocks equal those of blocks that ended shortly before, so recent keys are found
 * without the dictionary.
 */
enum { RECENT_BLOCK_KEYS = 1 << 13 };
struct block_cells {
	struct dictionary keys;
	struct {
		struct block_sums {
			uint64_t blocks, bytes, stored;
		} * at; /* by id of the key */
		uint32_t n, cap;
	} sums;
	struct recent_block_key {
		union block_key key;
		uint32_t id;         /* 0 means none */
	} recent[RECENT_BLOCK_KEYS]; /* by hash of the key */
};

/* { .keys.key_size = sizeof(union block_key) } is empty. */
void block_cells_release(struct block_cells *c);

/* Adds one block to the sums of its cell. False when out of memory. */
bool block_cells_add(struct block_cells *c, const struct row_block *b);
void block_cells_clear(struct block_cells *c);

/* Fills in the row of cell i, 0 <= i < keys.count. */
void block_cells_row(const struct block_cells *c, uint32_t i, struct row_block_cell *row);

#endif

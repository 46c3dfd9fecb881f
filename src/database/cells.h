/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sums samples while they are imported, at 20 ns per sample. SQLite would need a microsecond per
 * sample to sort them afterwards.
 */
#ifndef MEMDB_DATABASE_CELLS_H
#define MEMDB_DATABASE_CELLS_H

#include "database/dictionary.h"
#include "database/rows.h"
#include "database/writer_rows.h"

/* The sums of the samples in a cell. A sample stands for `period` events, so the weighted sums
 * count its values that many times. */
struct cell_sums {
	int64_t period, weighted_period;
	/* latency is weight * period: perf calls the latency of a sample its weight */
	double period_sq, latency, latency_sq;
	uint32_t samples, weighted;
};

/*
 * The cells do not fit into the processor's caches, and neighbouring samples seldom share one. So
 * samples are collected and added together: then the processor fetches the cells of many samples
 * at the same time.
 */
enum { PENDING_CELLS = 64 };
struct cells {
	struct dictionary keys;
	struct {
		struct cell_sums *at; /* indexed by the id of the key */
		uint32_t n, cap;
	} sums;
	struct pending_sample {
		union cell_key key;
		uint32_t hash;
		int64_t period, weight;
	} pending[PENDING_CELLS];
	uint32_t npending;
};

/* When this many cells are in memory, they are written and counting starts again. This bounds
 * the memory to 50 MB. A cell may then have several rows, so readers must sum the rows of a
 * cell. */
enum { CELLS_MAX = 1 << 19 };

/* { .keys.key_size = sizeof(union cell_key) } is empty. */
void cells_release(struct cells *c);

/* Adds one sample to the sums of its cell, at the latest with the next cells_complete(). False when
 * out of memory. */
bool cells_add(struct cells *c, const union cell_key *key, const struct sample_data *r);
bool cells_complete(struct cells *c);
void cells_clear(struct cells *c);

/* Fills in the row of cell i, 0 <= i < keys.count. The cells must be complete. */
void cells_row(const struct cells *c, uint32_t i, struct row_cell *row);

/*
 * The same for blocks: the rows of block_cells. Blocks are a hundred times as many as samples.
 */
struct block_cells {
	struct dictionary keys;
	struct {
		struct block_sums {
			uint64_t blocks, bytes, stored;
		} * at; /* indexed by the id of the key */
		uint32_t n, cap;
	} sums;
	struct pending_block {
		union block_key key;
		uint64_t bytes; /* of one of the blocks that it stands for */
		uint32_t hash, stands_for;
		bool stored;
	} pending[PENDING_CELLS];
	uint32_t npending;
};

/* { .keys.key_size = sizeof(union block_key) } is empty. */
void block_cells_release(struct block_cells *c);

/* Adds one block to the sums of its cell, at the latest with the next block_cells_complete(). False
 * when out of memory. */
bool block_cells_add(struct block_cells *c, const struct row_block *b);
bool block_cells_complete(struct block_cells *c);
void block_cells_clear(struct block_cells *c);

/* Fills in the row of cell i, 0 <= i < keys.count. The cells must be complete. */
void block_cells_row(const struct block_cells *c, uint32_t i, struct row_block_cell *row);

#endif

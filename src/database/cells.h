/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sums samples while they are imported: all samples with the same instruction, kind of access,
 * thread and object are added up in one cell. That costs 20 ns per sample. SQLite would need a
 * microsecond per sample to sort them afterwards.
 */
#ifndef MEMDB_DATABASE_CELLS_H
#define MEMDB_DATABASE_CELLS_H

#include "database/dictionary.h"
#include "database/rows.h"
#include "database/writer_rows.h"

/* The sums of the samples in a cell. A sample stands for `period` events, so `latency` adds its
 * weight that many times. weighted and weighted_period count only samples with a weight. */
struct cell_sums {
	int64_t period, weighted_period;
	/* sums of period² for all samples, and of weight * period and its square for samples with a
	 * weight; the weight of a sample is its measured latency */
	double period_sq, latency, latency_sq;
	uint32_t samples, weighted;
};

/*
 * Samples are collected, and this many are added to their cells together. The cells do not fit into
 * the processor's caches, and neighbouring samples seldom share one. If many samples are added
 * together, the processor fetches their cells at the same time.
 */
enum { PENDING_CELLS = 64 };

/* What samples and blocks that wait for their cells have in common: how many they are, and the
 * hash of each one's key. */
struct pending_hashes {
	uint32_t n, at[PENDING_CELLS];
};

struct cells {
	struct dictionary keys;
	struct {
		struct cell_sums *at; /* position: id of the key - 1 */
		uint32_t n, cap;
	} sums;
	struct pending_hashes hashes;
	struct pending_sample {
		union cell_key key;
		int64_t period, weight;
	} pending[PENDING_CELLS];
};

/* When this many cells are in memory, they are written as rows and counting starts again with
 * none. This bounds the memory to 50 MB. A cell may then have several rows, so readers must sum
 * them. */
enum { CELLS_MAX = 1 << 19 };

/* Frees *c. A new one is initialized with { .keys.key_size = sizeof(union cell_key) }. */
void cells_release(struct cells *c);

/* Adds one sample to the sums of its cell. The sample may wait in `pending` until the next
 * cells_complete(). Returns false when out of memory. */
bool cells_add(struct cells *c, const union cell_key *key, const struct sample_data *r);
bool cells_complete(struct cells *c);
void cells_clear(struct cells *c);

/* Fills in the row of cell i, 0 <= i < keys.count. Call cells_complete() before. */
void cells_row(const struct cells *c, uint32_t i, struct row_cell *row);

/*
 * Sums of heap blocks, as struct cells has of samples; they become the rows of the table
 * block_cells. A recording may have a hundred times as many blocks as samples.
 */
struct block_cells {
	struct dictionary keys;
	struct {
		struct block_sums {
			uint64_t blocks, bytes, stored;
		} * at; /* position: id of the key - 1 */
		uint32_t n, cap;
	} sums;
	struct pending_hashes hashes;
	struct pending_block {
		union block_key key;
		uint64_t bytes; /* size of one of the `stands_for` blocks */
		uint32_t stands_for;
		bool stored;
	} pending[PENDING_CELLS];
};

/* Frees *c. A new one is initialized with { .keys.key_size = sizeof(union block_key) }. */
void block_cells_release(struct block_cells *c);

/* Adds one block to the sums of its cell. The block may wait in `pending` until the next
 * block_cells_complete(). Returns false when out of memory. */
bool block_cells_add(struct block_cells *c, const struct row_block *b);
bool block_cells_complete(struct block_cells *c);
void block_cells_clear(struct block_cells *c);

/* Fills in the row of cell i, 0 <= i < keys.count. Call block_cells_complete() before. */
void block_cells_row(const struct block_cells *c, uint32_t i, struct row_block_cell *row);

#endif

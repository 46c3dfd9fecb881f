/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sums samples while they are imported: all samples with the same instruction, kind of access,
 * thread and object are added up in one cell. This costs 20 ns per sample. SQLite would need a
 * microsecond per sample to sort them afterwards.
 */
#ifndef MEMDB_DATABASE_CELLS_H
#define MEMDB_DATABASE_CELLS_H

#include "database/dictionary.h"
#include "database/rows.h"
#include "database/writer_rows.h"

/* The sums of all samples in one cell. A sample represents `period` events, so `latency` adds its
 * weight (measured latency) that many times. weighted and weighted_period are sums over only those
 * samples that have a weight. */
struct cell_sums {
	int64_t period, weighted_period;
	/* period_sq: sum of period² over all samples; latency and latency_sq: sums of
	 * weight * period and of (weight * period)², over samples with a weight */
	double period_sq, latency, latency_sq;
	uint32_t samples, weighted;
};

/* Number of samples that are collected before they are added to their cells. The cells do not fit
 * into the processor's caches, and successive samples seldom have the same cell. If many samples
 * are added in a row, the processor fetches their cells at the same time. */
enum { PENDING_CELLS = 64 };

/* Samples, or blocks, that have not been added to their cells yet: their number, and the hash of
 * each sample's or block's key. */
struct pending_hashes {
	uint32_t n, at[PENDING_CELLS];
};

struct cells {
	struct dictionary keys;
	struct {
		struct cell_sums *at; /* at[i] belongs to the key with id i + 1 */
		uint32_t n, cap;
	} sums;
	struct pending_hashes hashes;
	struct pending_sample {
		union cell_key key;
		int64_t period, weight;
	} pending[PENDING_CELLS];
};

/* Maximum number of cells in memory. At the limit they are written as rows, and counting starts
 * again with no cells. This limits the memory to 50 MB. A cell may then have several rows, so
 * readers must sum them. */
enum { CELLS_MAX = 1 << 19 };

/* Frees what *c owns. A new struct is initialized with { .keys.key_size = sizeof(union cell_key) }.
 */
void cells_release(struct cells *c);

/* Adds one sample to the sums of its cell. The sample may wait in `pending` until the next
 * cells_complete(). Returns false when out of memory. */
bool cells_add(struct cells *c, const union cell_key *key, const struct sample_data *r);
bool cells_complete(struct cells *c);
void cells_clear(struct cells *c);

/* Fills in the row of cell i, 0 <= i < keys.count. Call cells_complete() before. */
void cells_row(const struct cells *c, uint32_t i, struct row_cell *row);

/*
 * Sums of heap blocks, like the sums of samples in struct cells; they become the rows of the table
 * `block_cells`. A recording may have a hundred times as many blocks as samples.
 */
struct block_cells {
	struct dictionary keys;
	struct {
		struct block_sums {
			uint64_t blocks, bytes, stored;
		} * at; /* at[i] belongs to the key with id i + 1 */
		uint32_t n, cap;
	} sums;
	struct pending_hashes hashes;
	struct pending_block {
		union block_key key;
		uint64_t bytes; /* size of each block; the row represents `stands_for` blocks */
		uint32_t stands_for;
		bool stored;
	} pending[PENDING_CELLS];
};

/* Frees what *c owns. A new struct is initialized with { .keys.key_size = sizeof(union block_key)
 * }. */
void block_cells_release(struct block_cells *c);

/* Adds one block to the sums of its cell. The block may wait in `pending` until the next
 * block_cells_complete(). Returns false when out of memory. */
bool block_cells_add(struct block_cells *c, const struct row_block *b);
bool block_cells_complete(struct block_cells *c);
void block_cells_clear(struct block_cells *c);

/* Fills in the row of cell i, 0 <= i < keys.count. Call block_cells_complete() before. */
void block_cells_row(const struct block_cells *c, uint32_t i, struct row_block_cell *row);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sums over samples, counted while they pass: 20 ns a sample, where sorting them afterwards costs
 * SQLite a microsecond.
 */
#ifndef MEMDB_DATABASE_CELLS_H
#define MEMDB_DATABASE_CELLS_H

#include "database/dictionary.h"
#include "database/writer_rows.h"

/* A sample stands for `period` events, so each of its figures counts that often. */
struct cell_sums {
	int64_t period, weighted_period;
	double period_sq, latency, latency_sq; /* of latency: weight x period */
	uint32_t samples, weighted;
};

struct cells {
	struct dictionary keys;
	struct {
		struct cell_sums *at; /* by the key's id */
		uint32_t n, cap;
	} sums;
};

/* More cells than this are written out and begun anew: bounds the memory to 50 MB, and a cell told
 * in several rows does no harm to who sums. */
enum { CELLS_MAX = 1 << 19 };

/* { .keys.key_size = sizeof(union cell_key) } is empty. */
void cells_release(struct cells *c);

/* Counts one row; false when out of memory. */
bool cells_add(struct cells *c, const union cell_key *key, const struct sample_data *r);
void cells_clear(struct cells *c);

/* The row of cell i, 0 <= i < keys.count. */
void cells_row(const struct cells *c, uint32_t i, struct row_cell *row);

#endif

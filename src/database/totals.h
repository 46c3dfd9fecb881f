/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sums up the samples of the run and of each function, line, object, thread, … for the tables
 * totals and kind_totals. Reads sample_cells and sums them in hash tables, at 0.5 us per cell.
 * SQLite would sort all cells for each scope, which takes 15 us per cell. */
#ifndef MEMDB_DATABASE_TOTALS_H
#define MEMDB_DATABASE_TOTALS_H

#include <sqlite3.h>
#include <stdint.h>

/*
 * The sums in a row of totals. sql/totals/1-kinds.sql has a column for each sum, with the same
 * names in the same order; totals.c checks this when it reads the rows. sql/schema documents the
 * sums.
 */
#define TOTAL_COUNTS(X)  \
	X(samples)       \
	X(addressed)     \
	X(loads)         \
	X(stores)        \
	X(local)         \
	X(remote)        \
	X(hw_local)      \
	X(hw_remote)     \
	X(remote_loads)  \
	X(remote_stores) \
	X(waits)         \
	X(lost_waits)    \
	X(measured)
#define TOTAL_ESTIMATES(X)    \
	X(thread_time)        \
	X(thread_time_sq)     \
	X(undecided)          \
	X(estimate)           \
	X(estimate_sq)        \
	X(local_estimate)     \
	X(remote_estimate)    \
	X(hw_local_estimate)  \
	X(hw_remote_estimate) \
	X(latency)            \
	X(measured_estimate)  \
	X(cost)               \
	X(cost_sq)            \
	X(lost_cost)          \
	X(local_cost)         \
	X(remote_cost)        \
	X(hw_local_cost)      \
	X(hw_remote_cost)

#define TOTAL_COUNT_ID(m)    COUNT_##m,
#define TOTAL_ESTIMATE_ID(m) ESTIMATE_##m,
enum total_count { TOTAL_COUNTS(TOTAL_COUNT_ID) COUNTS };
enum total_estimate { TOTAL_ESTIMATES(TOTAL_ESTIMATE_ID) ESTIMATES };

struct row_total {
	const char *scope;
	/* the first instruction of the function or line to which the row belongs; 0 means that it
	 * belongs to neither */
	uint32_t instruction_id;
	uint32_t object_id, thread_id;
	int64_t threads, writers, counts[COUNTS];
	double estimates[ESTIMATES];
};

struct row_kind_total {
	const char *scope;
	uint32_t instruction_id, object_id, thread_id, kind_id;
	int64_t samples, weighted;
	double period, period_sq, weighted_period, latency, latency_sq;
};

/* Receives the rows of totals. A row is valid only during the call. Both functions return an SQLite
 * code; after an error no more rows follow. */
struct totals_sink {
	int (*put_kind_total)(void *arg, const struct row_kind_total *row);
	int (*put_total)(void *arg, const struct row_total *row);
	void *arg;
};

/* The usual `max` of totals_count(); with it, at most about 60 MB are used. */
enum { TOTALS_MAX = 1 << 17 };

/*
 * Computes the sums from the tables `sample_cells`, `access_kinds`, `kind_measures` and
 * `instructions` of db. At most about `max` rows of `totals`, and twice as many of `kind_totals`,
 * are in memory at a time. If there are more, the keys are split, and each part is computed in a
 * separate pass. Returns an SQLite code: the code of the sink, or among others
 *   SQLITE_INTERNAL  a cell refers to a missing row, or sql/totals/1-kinds.sql and the lists above
 *                    have different names
 */
int totals_count(sqlite3 *db, uint32_t max, const struct totals_sink *sink);

/* Computes the sums and inserts them into the empty tables `totals` and `kind_totals` of db,
 * without a sink. Returns an SQLite code. */
int totals_store(sqlite3 *db);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What each thing (function, line, object, thread, ...) has of the samples, summed from the cells
 * by hashing: 0.5 us a cell, where SQLite would sort all cells for each kind of thing, 15 us a
 * cell. sql/derived/thing_sums.sql and thing_cells.sql say the same in SQL.
 */
#ifndef MEMDB_DATABASE_THINGS_H
#define MEMDB_DATABASE_THINGS_H

#include <sqlite3.h>

#include "database/dictionary.h"

enum { THING_SUMS = 19 }; /* from samples to hw_remote, as sql/things/1-kinds.sql has them */

/* Hashed and compared as bytes. */
struct thing_key {
	uint32_t of;             /* which kind of thing */
	uint32_t instruction_id; /* the first one of a function or line; 0: is of neither */
	uint32_t object_id, thread_id;
};

struct thing_kind_key {
	struct thing_key thing;
	uint32_t kind_id, zero;
};

/* A row of thing_sums; ids are those of key. */
struct row_thing_sum {
	const char *of;
	uint32_t instruction_id, object_id, thread_id;
	int64_t threads, writers, sums[THING_SUMS];
};

/* A row of thing_cells. */
struct row_thing_cell {
	const char *of;
	uint32_t instruction_id, object_id, thread_id, kind_id;
	int64_t samples, period, weighted, weight;
};

struct things {
	struct dictionary sum_keys, cell_keys;
	struct row_thing_sum *sums;   /* by id - 1 */
	struct row_thing_cell *cells; /* by id - 1 */
	uint32_t sums_cap, cells_cap;
	bool too_many; /* more than THINGS_MAX: nothing is here, SQLite shall sort */
};

/* Bounds the memory to some 50 MB. */
enum { THINGS_MAX = 1 << 17, THING_CELLS_MAX = 1 << 18, THING_THREADS_MAX = 1 << 19 };

/* Sums what sample_cells, access_kinds, kind_measures and instructions of db have into *t, which
 * the caller releases in every case. Returns SQLite's code. */
int things_count(struct things *t, sqlite3 *db);
void things_release(struct things *t);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "database/things.h"

#include "base/arena.h"
#include "database/sql.h"

/* The kinds of things, and which parts of a cell tell theirs apart. */
static const struct of {
	const char *name;
	bool function, line, object, thread;
	bool by_kind; /* also in thing_cells */
} ofs[] = {
	{ .name = "run", .by_kind = true },
	{ .name = "function", .function = true, .by_kind = true },
	{ .name = "line", .line = true },
	{ .name = "object", .object = true, .by_kind = true },
	{ .name = "thread", .thread = true, .by_kind = true },
	{ .name = "function_object", .function = true, .object = true },
	{ .name = "object_thread", .object = true, .thread = true },
};

enum { OFS = sizeof(ofs) / sizeof(ofs[0]) };

/* The files of sql/things. */
enum { READ_KINDS, READ_CODE, READ_CELLS };

/* For each sum the part of a cell that counts in it: PART_*. */
struct kind {
	uint8_t from[THING_SUMS];
};

enum { PART_NONE, PART_SAMPLES, PART_PERIOD, PART_WEIGHTED, PART_WEIGHT, PARTS };
enum { SUM_SAMPLES, SUM_STORES = 3 }; /* places in kind.from */

/* The first instructions of its function and of its line. */
struct code {
	uint32_t function, line;
};

struct cell {
	uint32_t instruction_id, kind_id, thread_id, object_id;
	int64_t parts[PARTS];
	int64_t sums[THING_SUMS];
};

/* Keys, and the first instruction that had each. */
struct firsts {
	struct dictionary keys;
	uint32_t *at; /* by id - 1 */
	uint32_t cap;
};

struct counting {
	struct things *t;
	sqlite3 *db;
	struct {
		struct kind *at; /* by id - 1 */
		uint32_t n, cap;
	} kinds;
	struct {
		struct code *at; /* by id - 1 */
		uint32_t n, cap;
	} code;
	struct strings names;
	struct firsts functions, lines;
	struct dictionary threads; /* of things that are not of one thread */
	bool *wrote;               /* by id - 1 */
	uint32_t wrote_cap;
};

typedef int row_fn(struct counting *c, sqlite3_stmt *st);

static int for_each(struct counting *c, int what, row_fn *fn)
{
	sqlite3_stmt *st = NULL;
	int rc = sqlite3_prepare_v2(c->db, sql_things[what].text, -1, &st, NULL);

	while (!rc && (rc = sqlite3_step(st)) == SQLITE_ROW)
		rc = fn(c, st);
	sqlite3_finalize(st);
	return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

static uint32_t id_of(sqlite3_stmt *st, int column)
{
	return (uint32_t)sqlite3_column_int64(st, column);
}

/* The writer counts ids of kinds and instructions from 1 and leaves none out. */
static int add_kind(struct counting *c, sqlite3_stmt *st)
{
	struct kind kind;

	if (id_of(st, 0) != c->kinds.n + 1)
		return SQLITE_INTERNAL;
	if (!VEC_ROOM(&c->kinds))
		return SQLITE_NOMEM;
	for (int i = 0; i < THING_SUMS; i++)
		kind.from[i] = (uint8_t)sqlite3_column_int(st, 1 + i);
	c->kinds.at[c->kinds.n++] = kind;
	return SQLITE_OK;
}

/* The first instruction with this key, which may be id; 0 when out of memory. */
static uint32_t first_with(struct firsts *f, const void *key, uint32_t id)
{
	bool is_new;
	uint32_t place = dictionary_id(&f->keys, key, &is_new);

	if (!place || (place > f->cap && !vec_grow((void **)&f->at, &f->cap, sizeof(*f->at))))
		return 0;
	if (is_new)
		f->at[place - 1] = id;
	return f->at[place - 1];
}

static int add_code(struct counting *c, sqlite3_stmt *st)
{
	struct {
		uint32_t symbol_id, dso_id;
	} function = { id_of(st, 1), id_of(st, 2) };
	struct {
		uint32_t name, file_id;
		int64_t line;
	} line = { strings_id(&c->names, (const char *)sqlite3_column_text(st, 3)), id_of(st, 4),
		   sqlite3_column_type(st, 5) == SQLITE_NULL ? -1 : sqlite3_column_int64(st, 5) };
	uint32_t id = id_of(st, 0);
	struct code code = { first_with(&c->functions, &function, id),
			     first_with(&c->lines, &line, id) };

	if (id != c->code.n + 1)
		return SQLITE_INTERNAL;
	if (!line.name || !code.function || !code.line || !VEC_ROOM(&c->code))
		return SQLITE_NOMEM;
	c->code.at[c->code.n++] = code;
	return SQLITE_OK;
}

/* A hostile recording may claim anything: as much as fits. */
static void add(int64_t *sum, int64_t v)
{
	if (__builtin_add_overflow(*sum, v, sum))
		*sum = INT64_MAX;
}

/* One more thread of a thing, and one more that wrote; false when out of memory. */
static bool count_thread(struct counting *c, struct thing_key key, const struct cell *cell,
			 struct row_thing_sum *sum)
{
	bool is_new;
	uint32_t id;

	key.thread_id = cell->thread_id;
	id = dictionary_id(&c->threads, &key, &is_new);
	if (!id ||
	    (id > c->wrote_cap && !vec_grow((void **)&c->wrote, &c->wrote_cap, sizeof(*c->wrote))))
		return false;
	if (is_new) {
		c->wrote[id - 1] = false;
		sum->threads++;
	}
	if (cell->sums[SUM_STORES] && !c->wrote[id - 1]) {
		c->wrote[id - 1] = true;
		sum->writers++;
	}
	return true;
}

static bool add_sum(struct counting *c, const struct thing_key *key, const struct cell *cell)
{
	struct things *t = c->t;
	bool is_new;
	uint32_t id = dictionary_id(&t->sum_keys, key, &is_new);
	struct row_thing_sum *sum;

	if (!id || (id > t->sums_cap && !vec_grow((void **)&t->sums, &t->sums_cap, sizeof(*sum))))
		return false;
	sum = &t->sums[id - 1];
	if (is_new)
		*sum = (struct row_thing_sum){ ofs[key->of].name,
					       key->instruction_id,
					       key->object_id,
					       key->thread_id,
					       0,
					       0,
					       { 0 } };
	for (int i = 0; i < THING_SUMS; i++)
		add(&sum->sums[i], cell->sums[i]);
	return !cell->thread_id || count_thread(c, *key, cell, sum);
}

static bool add_cell(struct counting *c, const struct thing_key *key, const struct cell *cell)
{
	struct things *t = c->t;
	struct thing_kind_key by_kind = { *key, cell->kind_id, 0 };
	bool is_new;
	uint32_t id = dictionary_id(&t->cell_keys, &by_kind, &is_new);
	struct row_thing_cell *r;

	if (!id || (id > t->cells_cap && !vec_grow((void **)&t->cells, &t->cells_cap, sizeof(*r))))
		return false;
	r = &t->cells[id - 1];
	if (is_new)
		*r = (struct row_thing_cell){ ofs[key->of].name,
					      key->instruction_id,
					      key->object_id,
					      key->thread_id,
					      cell->kind_id,
					      0,
					      0,
					      0,
					      0 };
	add(&r->samples, cell->parts[PART_SAMPLES]);
	add(&r->period, cell->parts[PART_PERIOD]);
	add(&r->weighted, cell->parts[PART_WEIGHTED]);
	add(&r->weight, cell->parts[PART_WEIGHT]);
	return true;
}

static bool read_cell(const struct counting *c, sqlite3_stmt *st, struct cell *cell)
{
	*cell = (struct cell){
		id_of(st, 0), id_of(st, 1), id_of(st, 2), id_of(st, 3), { 0 }, { 0 }
	};
	if (cell->instruction_id - 1 >= c->code.n || cell->kind_id - 1 >= c->kinds.n)
		return false;
	for (int i = PART_SAMPLES; i < PARTS; i++)
		cell->parts[i] = sqlite3_column_int64(st, 3 + i);
	for (int i = 0; i < THING_SUMS; i++)
		cell->sums[i] = cell->parts[c->kinds.at[cell->kind_id - 1].from[i]];
	return true;
}

/* SQLITE_FULL: more things than may be. */
static int count_cell(struct counting *c, sqlite3_stmt *st)
{
	const struct code *code;
	struct cell cell;

	if (!read_cell(c, st, &cell))
		return SQLITE_INTERNAL;
	code = &c->code.at[cell.instruction_id - 1];
	for (uint32_t i = 0; i < OFS; i++) {
		const struct of *of = &ofs[i];
		struct thing_key key = { .of = i };

		if (of->function || of->line)
			key.instruction_id = of->function ? code->function : code->line;
		if (of->object)
			key.object_id = cell.object_id;
		if (of->thread)
			key.thread_id = cell.thread_id;
		if (of->by_kind && !add_cell(c, &key, &cell))
			return SQLITE_NOMEM;
		if (cell.sums[SUM_SAMPLES] && (cell.object_id || !of->object) &&
		    !add_sum(c, &key, &cell))
			return SQLITE_NOMEM;
	}
	if (c->t->sum_keys.count > THINGS_MAX || c->t->cell_keys.count > THING_CELLS_MAX ||
	    c->threads.count > THING_THREADS_MAX)
		return SQLITE_FULL;
	return SQLITE_OK;
}

static void release(struct counting *c)
{
	free(c->kinds.at);
	free(c->code.at);
	strings_release(&c->names);
	dictionary_release(&c->functions.keys);
	free(c->functions.at);
	dictionary_release(&c->lines.keys);
	free(c->lines.at);
	dictionary_release(&c->threads);
	free(c->wrote);
}

int things_count(struct things *t, sqlite3 *db)
{
	struct counting c = { .t = t, .db = db };
	int rc;

	*t = (struct things){ .sum_keys.key_size = sizeof(struct thing_key),
			      .cell_keys.key_size = sizeof(struct thing_kind_key) };
	c.functions.keys.key_size = 8;
	c.lines.keys.key_size = 16;
	c.threads.key_size = sizeof(struct thing_key);
	rc = for_each(&c, READ_KINDS, add_kind);
	if (!rc)
		rc = for_each(&c, READ_CODE, add_code);
	if (!rc)
		rc = for_each(&c, READ_CELLS, count_cell);
	release(&c);
	if (rc == SQLITE_FULL) {
		things_release(t);
		t->too_many = true;
		rc = SQLITE_OK;
	}
	return rc;
}

void things_release(struct things *t)
{
	dictionary_release(&t->sum_keys);
	dictionary_release(&t->cell_keys);
	free(t->sums);
	free(t->cells);
	*t = (struct things){ 0 };
}

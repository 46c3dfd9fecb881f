/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Computes the sums for the views: the cost of each function, line, object and thread, by every
 * measure that a view shows. The sums are computed once, at the end of the import, from the cells.
 * A view then reads a few rows of sums instead of all samples.
 *
 * SQL defines the measures (sql/derived/kind_measures.sql): each measure adds up certain kinds of
 * access. So this file only loops over the cells and adds each cell to its total in every scope. A
 * scope is a way to group: by function, by line, by object, …
 *
 * The memory is limited: if there are too many totals, their keys are split into two parts by a
 * hash, and each part is counted in a separate pass.
 *
 * What must stay true: a cell is added to a total exactly once, no matter how many passes there
 * are.
 */
#include "database/totals.h"

#include "base/arena.h"
#include "base/count.h"
#include "database/bulk.h"
#include "database/cell_parts.h"
#include "database/dictionary.h"
#include "database/sql.h"

/* All scopes. The flags say by which properties a scope groups cells. */
static const struct scope {
	const char *name;
	bool function, line, object, thread;
	bool by_kind; /* whether the table kind_totals also has totals of this scope */
} scopes[] = {
	{ .name = "run", .by_kind = true },
	{ .name = "function", .function = true, .by_kind = true },
	{ .name = "line", .line = true, .by_kind = true },
	{ .name = "object", .object = true, .by_kind = true },
	{ .name = "thread", .thread = true, .by_kind = true },
	{ .name = "function_object", .function = true, .object = true },
	{ .name = "object_thread", .object = true, .thread = true },
};

enum { SCOPES = COUNT_OF(scopes) };

/* Index of each file of sql/totals in sql_totals[]. */
enum { READ_KINDS, READ_CODE, READ_CELLS };

enum { SUMS = COUNTS + ESTIMATES };

#define TOTAL_NAME(m) #m,
static const char *const sum_names[SUMS] = { TOTAL_COUNTS(TOTAL_NAME) TOTAL_ESTIMATES(TOTAL_NAME) };

/* How a kind of access (a row of access_kinds) is summed. For each sum i of a total, from[i] is the
 * column of a cell (enum part) that is added to it; PART_NONE if cells of this kind add nothing.
 * The counts come first, then the estimates. */
struct kind {
	uint8_t from[SUMS];
};

/* The function and the line of an instruction. Each is identified by the id of its first
 * instruction. */
struct code {
	uint32_t function, line;
};

struct cell {
	uint32_t instruction_id, kind_id, thread_id, object_id;
	double parts[PARTS];
	const struct kind *kind;
};

/* Identifies a total. Members by which its scope does not group are 0. Hashed and compared as
 * bytes. */
struct total_key {
	uint32_t scope, instruction_id, object_id, thread_id;
};

struct kind_total_key {
	struct total_key total;
	uint32_t kind_id, zero;
};

/* Finds, for each function or each line, the id of the first instruction in it. */
struct firsts {
	struct dictionary keys;
	uint32_t *at; /* at[i] belongs to the key with id i + 1 */
	uint32_t n, cap;
};

struct counting {
	sqlite3 *db;
	uint32_t max;
	const struct totals_sink *sink;
	struct {
		struct kind *at;
		uint32_t n, cap;
	} kinds;
	struct {
		struct code *at; /* at[i] belongs to the instruction with id i + 1 */
		uint32_t n, cap;
	} code;
	struct strings names;
	struct firsts functions, lines;

	/* the current pass counts those keys whose hash modulo `parts` is `part` */
	uint32_t part, parts;
	struct dictionary total_keys, kind_total_keys;
	struct {
		struct row_total *at; /* at[i] belongs to the key with id i + 1 in total_keys */
		uint32_t n, cap;
	} totals;
	struct {
		struct row_kind_total *at; /* at[i] belongs to id i + 1 in kind_total_keys */
		uint32_t n, cap;
	} kind_totals;
	/* pairs of a total and a thread that have been seen: a thread counts only once in a total
	 */
	struct dictionary threads;
	struct {
		bool *at; /* whether the thread wrote; at[i] belongs to the pair with id i + 1 in
			   * `threads` */
		uint32_t n, cap;
	} wrote;
};

typedef int row_fn(struct counting *c, sqlite3_stmt *st);

/* Calls fn for each row of the statement sql_totals[what]. Returns the first error of a step or of
 * fn; SQLITE_INTERNAL if the statement has other names of columns than this file. */
static int for_each(struct counting *c, int what, row_fn *fn)
{
	sqlite3_stmt *st = NULL;
	int rc = sqlite3_prepare_v2(c->db, sql_totals[what].text, -1, &st, NULL);

	if (!rc)
		rc = cell_parts_bind(st);
	if (!rc && ((what == READ_KINDS && !has_columns(st, 1, sum_names, SUMS)) ||
		    (what == READ_CELLS &&
		     !has_columns(st, CELL_IDS, cell_part_names + PART_NONE + 1, PARTS - 1))))
		rc = SQLITE_INTERNAL;
	while (!rc && (rc = sqlite3_step(st)) == SQLITE_ROW)
		rc = fn(c, st);
	sqlite3_finalize(st);
	return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

/* Returns the id in a column of the current row; 0, which is never an id, if it is NULL. */
static uint32_t id_of(sqlite3_stmt *st, int column)
{
	return (uint32_t)sqlite3_column_int64(st, column);
}

/* Adds a kind of access from a row of the statement. Ids of kinds and instructions must count from
 * 1 without gaps, because they serve as positions in arrays. */
static int add_kind(struct counting *c, sqlite3_stmt *st)
{
	struct kind kind;

	if (id_of(st, 0) != c->kinds.n + 1)
		return SQLITE_INTERNAL;
	if (!VEC_ROOM(&c->kinds))
		return SQLITE_NOMEM;
	for (int i = 0; i < SUMS; i++) {
		int part = sqlite3_column_int(st, 1 + i);

		if (part < 0 || part >= PARTS)
			return SQLITE_INTERNAL;
		kind.from[i] = (uint8_t)part;
	}
	c->kinds.at[c->kinds.n++] = kind;
	return SQLITE_OK;
}

/* Returns the id of the first instruction in the function or line with this key: `id` itself if no
 * instruction was seen in it before. 0 means out of memory. */
static uint32_t first_with(struct firsts *f, const void *key, uint32_t id)
{
	bool is_new;
	uint32_t place = dictionary_id(&f->keys, key, &is_new);

	if (!VEC_HAS_ID(f, place))
		return 0;
	if (is_new)
		AT_ID(*f, place) = id;
	return AT_ID(*f, place);
}

/* Adds an instruction from a row of the statement: finds the first instruction of its function and
 * of its line. Locations with equal name, symbol and DSO are one function. Locations with equal
 * name, file and line are one line. */
static int add_code(struct counting *c, sqlite3_stmt *st)
{
	uint32_t name = strings_id(&c->names, (const char *)sqlite3_column_text(st, 3));
	struct {
		uint32_t name, symbol_id, dso_id, zero;
	} function = { name, id_of(st, 1), id_of(st, 2), 0 };
	struct {
		uint32_t name, file_id;
		int64_t line;
	} line = { name, id_of(st, 4),
		   sqlite3_column_type(st, 5) == SQLITE_NULL ? -1 : sqlite3_column_int64(st, 5) };
	uint32_t id = id_of(st, 0);
	struct code code = { first_with(&c->functions, &function, id),
			     first_with(&c->lines, &line, id) };

	if (id != c->code.n + 1)
		return SQLITE_INTERNAL;
	if (!name || !code.function || !code.line || !VEC_ROOM(&c->code))
		return SQLITE_NOMEM;
	c->code.at[c->code.n++] = code;
	return SQLITE_OK;
}

/* Does the current pass count the total with this key? All cells of one total fall into the same
 * part. The hash does not depend on addresses or time, so the same recording always gives the same
 * database. */
static bool in_part(const struct counting *c, const struct total_key *k)
{
	uint64_t h = (k->instruction_id * UINT64_C(0x9e3779b97f4a7c15) + k->object_id) *
			     UINT64_C(0xff51afd7ed558ccd) +
		     k->thread_id;

	return c->parts == 1 || ((h * UINT64_C(0xc4ceb9fe1a85ec53)) >> 40) % c->parts == c->part;
}

/* Returns the value that the cell adds to sum i; 0 if its kind of access does not count there. */
static double sum_of(const struct cell *cell, int i)
{
	return cell->parts[cell->kind->from[i]];
}

/* Counts the cell's thread in total->threads, and in total->writers if the thread wrote. Does not
 * count a thread twice. Returns false when out of memory. */
static bool count_thread(struct counting *c, struct total_key key, const struct cell *cell,
			 struct row_total *total)
{
	bool is_new;
	uint32_t id;

	key.thread_id = cell->thread_id;
	id = dictionary_id(&c->threads, &key, &is_new);
	if (!VEC_HAS_ID(&c->wrote, id))
		return false;
	if (is_new) {
		AT_ID(c->wrote, id) = false;
		total->threads++;
	}
	if (sum_of(cell, COUNT_stores) > 0 && !AT_ID(c->wrote, id)) {
		AT_ID(c->wrote, id) = true;
		total->writers++;
	}
	return true;
}

/* Which sums of a cell are added to a total. If a cell has waits whose address is lost, the sums of
 * these waits are lost_waits, lost_cost and cost_sq: ALL_BUT_LOST leaves these three out, and
 * ONLY_LOST adds only these three. */
enum share { ALL, ALL_BUT_LOST, ONLY_LOST };

/* Adds a cell's sums to the total with this key. Returns false when out of memory. */
static bool add_total(struct counting *c, const struct total_key *key, const struct cell *cell,
		      enum share share)
{
	bool is_new;
	uint32_t id = dictionary_id(&c->total_keys, key, &is_new);
	struct row_total *r;

	if (!VEC_HAS_ID(&c->totals, id))
		return false;
	r = &AT_ID(c->totals, id);
	if (is_new)
		*r = (struct row_total){ .scope = scopes[key->scope].name,
					 .instruction_id = key->instruction_id,
					 .object_id = key->object_id,
					 .thread_id = key->thread_id };
	for (int i = 0; i < COUNTS; i++)
		if (share == ALL || (share == ONLY_LOST) == (i == COUNT_lost_waits))
			r->counts[i] += (int64_t)sum_of(cell, i);
	for (int i = 0; i < ESTIMATES; i++)
		if (share == ALL ||
		    (share == ONLY_LOST) == (i == ESTIMATE_lost_cost || i == ESTIMATE_cost_sq))
			r->estimates[i] += sum_of(cell, COUNTS + i);
	return share == ONLY_LOST || !cell->thread_id || !(sum_of(cell, COUNT_addressed) > 0) ||
	       count_thread(c, *key, cell, r);
}

/* Were all accesses of this kind counted, not only some of them? Then the sums have no sampling
 * error, and the squares are not summed. */
static bool counts_all(const struct kind *kind)
{
	const uint8_t *estimates = kind->from + COUNTS;

	return estimates[ESTIMATE_estimate] && !estimates[ESTIMATE_estimate_sq];
}

/* Adds a cell to the total with this key, separately for its kind of access. Returns false when out
 * of memory. */
static bool add_kind_total(struct counting *c, const struct total_key *key, const struct cell *cell)
{
	struct kind_total_key by_kind = { *key, cell->kind_id, 0 };
	bool is_new;
	uint32_t id = dictionary_id(&c->kind_total_keys, &by_kind, &is_new);
	struct row_kind_total *r;

	if (!VEC_HAS_ID(&c->kind_totals, id))
		return false;
	r = &AT_ID(c->kind_totals, id);
	if (is_new)
		*r = (struct row_kind_total){ .scope = scopes[key->scope].name,
					      .instruction_id = key->instruction_id,
					      .object_id = key->object_id,
					      .thread_id = key->thread_id,
					      .kind_id = cell->kind_id };
	r->samples += (int64_t)cell->parts[counts_all(cell->kind) ? PART_period : PART_samples];
	r->period += cell->parts[PART_period];
	if (!counts_all(cell->kind))
		r->period_sq += cell->parts[PART_period_sq];
	r->weighted += (int64_t)cell->parts[PART_weighted];
	r->weighted_period += cell->parts[PART_weighted_period];
	r->latency += cell->parts[PART_latency];
	r->latency_sq += cell->parts[PART_latency_sq];
	return true;
}

/* Reads a cell from the current row. Returns false if it refers to a row that does not exist: then
 * memdb did not write this database. */
static bool read_cell(const struct counting *c, sqlite3_stmt *st, struct cell *cell)
{
	*cell = (struct cell){ .instruction_id = id_of(st, 0),
			       .kind_id = id_of(st, 1),
			       .thread_id = id_of(st, 2),
			       .object_id = id_of(st, 3) };
	if (cell->instruction_id - 1 >= c->code.n || cell->kind_id - 1 >= c->kinds.n)
		return false;
	for (int i = PART_NONE + 1; i < PARTS; i++)
		cell->parts[i] = sqlite3_column_double(st, CELL_IDS + i - 1);
	cell->kind = &AT_ID(c->kinds, cell->kind_id);
	return true;
}

/* Returns the key of the total to which a cell belongs in a scope. */
static struct total_key key_in(uint32_t scope, const struct code *code, const struct cell *cell)
{
	const struct scope *s = &scopes[scope];
	struct total_key key = { .scope = scope };

	if (s->function || s->line)
		key.instruction_id = s->function ? code->function : code->line;
	if (s->object)
		key.object_id = cell->object_id;
	if (s->thread)
		key.thread_id = cell->thread_id;
	return key;
}

/*
 * Adds a cell to the totals of a scope. The cost of two kinds of samples is not added to the total
 * of their object, but to the total without an object:
 *
 *   - samples without a memory access; their object is the one that had a page fault
 *   - waits whose address is lost; their object is that of the next access
 *
 * So the totals of each scope add up to the total of the run. Returns false when out of memory.
 */
static bool add_totals(struct counting *c, struct total_key key, const struct cell *cell)
{
	bool lost;

	if (!(sum_of(cell, COUNT_addressed) > 0))
		key.object_id = 0;
	lost = key.object_id && sum_of(cell, COUNT_lost_waits) > 0;
	if (in_part(c, &key) && !add_total(c, &key, cell, lost ? ALL_BUT_LOST : ALL))
		return false;
	key.object_id = 0;
	return !lost || !in_part(c, &key) || add_total(c, &key, cell, ONLY_LOST);
}

/* Adds a cell to the totals of all scopes. Returns an SQLite code; SQLITE_FULL means that there
 * are too many totals for one pass. */
static int count_cell(struct counting *c, sqlite3_stmt *st)
{
	struct cell cell;

	if (!read_cell(c, st, &cell))
		return SQLITE_INTERNAL;
	for (uint32_t i = 0; i < SCOPES; i++) {
		struct total_key key = key_in(i, &AT_ID(c->code, cell.instruction_id), &cell);

		if (scopes[i].by_kind && in_part(c, &key) && !add_kind_total(c, &key, &cell))
			return SQLITE_NOMEM;
		if (sum_of(&cell, COUNT_samples) > 0 && !add_totals(c, key, &cell))
			return SQLITE_NOMEM;
	}
	if (c->total_keys.count > c->max || c->kind_total_keys.count / 2 > c->max ||
	    c->threads.count / 4 > c->max)
		return SQLITE_FULL;
	return SQLITE_OK;
}

/* Counts those keys whose hash modulo `parts` is `part`. If there are too many totals, splits the
 * keys in two halves and counts each half. Passes totals to the sink only when the part has been
 * counted completely, so the sink gets no total twice. Each pass reads all cells again: this takes
 * time, but limits the memory. */
static int count_part(struct counting *c, uint32_t part, uint32_t parts)
{
	int rc;

	c->part = part;
	c->parts = parts;
	dictionary_clear(&c->total_keys);
	dictionary_clear(&c->kind_total_keys);
	dictionary_clear(&c->threads);
	rc = for_each(c, READ_CELLS, count_cell);
	if (rc == SQLITE_FULL &&
	    /* the keys are those with hash % parts == part; hash % (2 * parts) is then either part
	     * or part + parts: these are the two halves */
	    parts < 1 << 16) {
		rc = count_part(c, part, 2 * parts);
		return rc ? rc : count_part(c, part + parts, 2 * parts);
	}
	for (uint32_t i = 0; !rc && i < c->kind_total_keys.count; i++)
		rc = c->sink->put_kind_total(c->sink->arg, &c->kind_totals.at[i]);
	for (uint32_t i = 0; !rc && i < c->total_keys.count; i++)
		rc = c->sink->put_total(c->sink->arg, &c->totals.at[i]);
	return rc;
}

/* Frees everything. Also called after a failure, when some arrays do not exist yet. */
static void release_counting(struct counting *c)
{
	free(c->kinds.at);
	free(c->code.at);
	strings_release(&c->names);
	dictionary_release(&c->functions.keys);
	free(c->functions.at);
	dictionary_release(&c->lines.keys);
	free(c->lines.at);
	dictionary_release(&c->total_keys);
	dictionary_release(&c->kind_total_keys);
	free(c->totals.at);
	free(c->kind_totals.at);
	dictionary_release(&c->threads);
	free(c->wrote.at);
}

/* Puts each total once, in an unspecified order. Kinds and instructions are read before the cells,
 * because a cell refers to them by their ids. */
int totals_count(sqlite3 *db, uint32_t max, const struct totals_sink *sink)
{
	struct counting c = { .db = db, .max = max, .sink = sink };
	int rc;

	c.functions.keys.key_size = 16;
	c.lines.keys.key_size = 16;
	c.total_keys.key_size = c.threads.key_size = sizeof(struct total_key);
	c.kind_total_keys.key_size = sizeof(struct kind_total_key);
	rc = for_each(&c, READ_KINDS, add_kind);
	if (!rc)
		rc = for_each(&c, READ_CODE, add_code);
	if (!rc)
		rc = count_part(&c, 0, 1);
	release_counting(&c);
	return rc;
}

static int put_kind_total(void *bulk, const struct row_kind_total *row)
{
	return bulk_put(bulk, TABLE_KIND_TOTALS, row);
}

static int put_total(void *bulk, const struct row_total *row)
{
	return bulk_put(bulk, TABLE_TOTALS, row);
}

/* For a selection (select.c), which has no writer: the totals go into temporary tables of the
 * database that is being read. */
int totals_store(sqlite3 *db)
{
	struct bulk bulk = { 0 };
	struct totals_sink sink = { put_kind_total, put_total, &bulk };
	int rc = bulk_init(&bulk, db, -1);

	if (!rc)
		rc = totals_count(db, TOTALS_MAX, &sink);
	if (!rc)
		rc = bulk_flush(&bulk);
	bulk_release(&bulk);
	return rc;
}

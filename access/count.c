/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "count.h"

#include <string.h>

#include "holders.h"
#include "pages.h"
#include "room.h"
#include "signals.h"

/* LOOKS: every LOOKS-th call of counts_due() reads the clock, because reading it takes about as
 * long as counting one access. */
enum { ROOM_LEAST = 1 << 12, HOT = 1024, LOOKS = 64 };

/* the bits of a place that have the number of a cell + 1 */
#define NUMBERS UINT32_C(0x7ffff)

_Static_assert(CELLS_MOST + 2 <= NUMBERS, "every cell has a number");

bool counts_modelled;

static uint8_t kind_of(const struct counted *a)
{
	return (uint8_t)(a->store | a->level << 1 | a->moved << 3);
}

/* All granules in the same 16 bytes have the same hash, so a cell keeps its hash if its mask
 * changes.
 */
static uint64_t hash_cell(const struct cell *cell)
{
	uint64_t x = cell->address >> GRANULE_BITS ^ cell->ip << 24 ^ (uint64_t)cell->kind << 60;

	x *= UINT64_C(0x9e3779b97f4a7c15);
	x = (x ^ x >> 32 ^ cell->epoch) * UINT64_C(0xff51afd7ed558ccd);
	return x ^ x >> 32;
}

/* The number of cells for which a table of this size has room. */
static uint32_t cells_in(uint32_t room)
{
	return room / 4 * 3;
}

/* The cell whose number is in this place, which is not 0. */
static struct cell *cell_in(const struct counts *c, uint32_t place)
{
	return &c->cells[(place & NUMBERS) - 1];
}

static bool is_same(const struct cell *cell, const struct cell *key)
{
	return cell->ip == key->ip && cell->kind == key->kind && cell->epoch == key->epoch &&
	       !((cell->address ^ key->address) & key->mask);
}

/* Searches the hash table for the place of the cell that counts the same as `key`. If this cell is
 * missing, returns the free place in which it belongs. There must be a table. */
static uint32_t *find_place(const struct counts *c, const struct cell *key)
{
	const uint64_t hash = hash_cell(key);

	for (uint64_t at = hash >> 32;; at++) {
		uint32_t *place = &c->places[at & (c->room - 1)];

		if (!*place ||
		    (!((*place ^ (uint32_t)hash) & ~NUMBERS) && is_same(cell_in(c, *place), key)))
			return place;
	}
}

/* Enters the cell, which is one of c->cells, in its place. */
static void put_place(const struct counts *c, const struct cell *cell, uint32_t *place)
{
	*place = ((uint32_t)hash_cell(cell) & ~NUMBERS) | (uint32_t)(cell - c->cells + 1);
}

static void forget_hot(struct counts *c)
{
	memset(c->hot, 0, sizeof(c->hot));
}

static void release_cells(struct counts *c)
{
	room_give(c->cells, cells_in(c->room) * sizeof(c->cells[0]));
	room_give(c->places, c->room * sizeof(c->places[0]));
}

static bool grow_cells(struct counts *c)
{
	struct counts more = { .room = c->room ? c->room * 2 : ROOM_LEAST };
	sigset_t before;

	more.cells = room_take(cells_in(more.room) * sizeof(c->cells[0]));
	more.places = room_take(more.room * sizeof(c->places[0]));
	if (!more.cells || !more.places) {
		release_cells(&more);
		return false;
	}
	for (uint32_t i = 0; i < c->used; i++) {
		more.cells[i] = c->cells[i];
		put_place(&more, &more.cells[i], find_place(&more, &more.cells[i]));
	}
	signals_block(&before);
	release_cells(c);
	c->cells = more.cells;
	c->places = more.places;
	c->room = more.room;
	forget_hot(c);
	signals_restore(&before);
	return true;
}

/* Returns the mask of the granule that contains an access: see cell.mask. */
static uint64_t mask_of(const struct counted *a, const struct owner *owner)
{
	if (a->bytes >= 1u << GRANULE_BITS)
		return -(UINT64_C(1) << GRANULE_BITS);
	if (pages_have_variables(a->address))
		return a->bytes > 4 ? ~UINT64_C(7) : ~UINT64_C(3);
	return owner->halves ? ~UINT64_C(7) : -(UINT64_C(1) << GRANULE_BITS);
}

static struct cell key_of(const struct counted *a)
{
	const uint32_t seen = owners_changes; /* read before the owner */
	const struct owner owner = owners_of(a->address);

	return (struct cell){ .ip = a->ip,
			      .address = a->address,
			      .mask = mask_of(a, &owner),
			      .seen = seen,
			      .epoch = owner.epoch,
			      .kind = kind_of(a) };
}

/* If a signal handler leaves the sampler between the last two steps, the cell is never found again,
 * but its number stays used. */
static struct cell *add_cell(struct counts *c, struct cell *key, uint32_t *place)
{
	struct cell *cell = &c->cells[c->used];

	key->time = stream_now();
	*cell = *key;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	c->used++;
	put_place(c, cell, place);
	return cell;
}

static struct cell *find_slow(struct counts *c, const struct counted *a)
{
	struct cell key = key_of(a), *cell;
	uint32_t *place;

	if (c->used >= cells_in(c->room) && !grow_cells(c))
		return NULL;
	place = find_place(c, &key);
	if (!*place)
		return add_cell(c, &key, place);
	cell = cell_in(c, *place);
	cell->seen = key.seen;
	cell->mask = key.mask;
	return cell;
}

/* Does this cell count the access? If no owner has changed since the cell was used, its mask and
 * its epoch are certainly still those of the granule. */
static bool is_cell(struct cell *cell, const struct counted *a)
{
	const uint32_t now = owners_changes;
	struct owner owner;

	if (!cell || cell->ip != a->ip || (cell->address ^ a->address) & cell->mask ||
	    cell->kind != kind_of(a))
		return false;
	if (cell->seen == now)
		return true;
	owner = owners_of(a->address);
	if (owner.halves || cell->epoch != owner.epoch)
		return false;
	cell->seen = now;
	return true;
}

static struct cell **hot_of(struct counts *c, const struct counted *a)
{
	return &c->hot[(a->ip ^ (uint64_t)kind_of(a) << 6) % HOT];
}

bool counts_known(const struct counts *c, const struct counted *a)
{
	const struct cell key = key_of(a);

	return c->room && *find_place(c, &key);
}

bool counts_add(struct counts *c, const struct counted *a)
{
	struct cell **hot = hot_of(c, a);

	if (!is_cell(*hot, a))
		*hot = find_slow(c, a);
	if (!*hot)
		return false;
	(*hot)->n++;
	return true;
}

uint64_t source_of(bool store, enum level level, bool modelled, enum movement movement)
{
	static const uint64_t levels[LEVELS] = {
		[LEVEL_L1] = PERF_MEM_LVL_L1 | PERF_MEM_LVL_HIT,
		[LEVEL_L2] = PERF_MEM_LVL_L2 | PERF_MEM_LVL_HIT,
		[LEVEL_L3] = PERF_MEM_LVL_L3 | PERF_MEM_LVL_HIT,
		[LEVEL_RAM] = PERF_MEM_LVL_L3 | PERF_MEM_LVL_MISS,
	};

	static const uint64_t moves[] = {
		[MOVEMENT_UNKNOWN] = 0,
		[MOVEMENT_NONE] = (uint64_t)PERF_MEM_SNOOP_NONE << PERF_MEM_SNOOP_SHIFT,
		[MOVEMENT_MOVED] = ACCESS_SOURCE_MOVED,
	};

	return moves[movement] | (uint64_t)(store ? PERF_MEM_OP_STORE : PERF_MEM_OP_LOAD) |
	       (modelled ? levels[level] << PERF_MEM_LVL_SHIFT | ACCESS_SOURCE_MODEL
			 : (uint64_t)PERF_MEM_LVL_NA << PERF_MEM_LVL_SHIFT);
}

static void write_cell(const struct cell *cell, struct stream *s)
{
	const enum movement none = holders_table ? MOVEMENT_NONE : MOVEMENT_UNKNOWN;
	const enum level level = cell->kind >> 1 & 3;

	if (cell->n)
		stream_sample(s,
			      &(struct stream_sample){
				      .event = ACCESS_EVENT_ACCESS,
				      .ip = cell->ip,
				      .address = cell->address,
				      .period = cell->n,
				      .time = cell->time,
				      .source = source_of(cell->kind & 1, level, counts_modelled,
							  cell->kind >> 3 ? MOVEMENT_MOVED : none),
			      });
}

bool counts_over(const struct counts *c)
{
	return stream_now() > c->from + (c->lasts ? c->lasts : CELLS_LEAST_NS);
}

bool counts_due(struct counts *c)
{
	return c->used > CELLS_MOST || (++c->looks % LOOKS == 0 && counts_over(c));
}

/* WRITE_NS and CLEAR_NS: about how long it takes to write a cell, and to clear a place */
bool counts_worth_writing(const struct counts *c)
{
	enum { WRITE_NS = 200, CLEAR_NS = 10, PART = 50 };

	return c->used && stream_now() > c->from + PART * ((uint64_t)c->used * WRITE_NS +
							   (uint64_t)c->room * CLEAR_NS);
}

/* An interval that ended because the thread waits may have been short. Then the next one gets the
 * same length. */
static void begin_interval(struct counts *c)
{
	if (counts_over(c))
		c->lasts = c->lasts ? c->lasts * 2 : CELLS_LEAST_NS * 2;
	if (c->lasts > CELLS_NS)
		c->lasts = CELLS_NS;
	c->from = stream_now();
}

/* The importer sorts records by time. The cells are already in this order. */
void counts_flush(struct counts *c, struct stream *s)
{
	sigset_t before;

	signals_block(&before);
	for (uint32_t i = 0; i < c->used; i++)
		write_cell(&c->cells[i], s);
	if (c->used)
		memset(c->places, 0, c->room * sizeof(c->places[0]));
	c->used = 0;
	begin_interval(c);
	forget_hot(c);
	signals_restore(&before);
}

void counts_release(struct counts *c)
{
	release_cells(c);
	c->cells = NULL;
	c->places = NULL;
	c->room = c->used = 0;
	forget_hot(c);
}

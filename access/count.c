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

bool counts_modelled;

static uint64_t hash_cell(uint64_t granule, uint64_t ip, uint32_t epoch)
{
	uint64_t x =
		(granule >> 2 ^ ip << 24 ^ (uint64_t)epoch << 40) * UINT64_C(0x9e3779b97f4a7c15);

	return x ^ x >> 32;
}

/* Searches the hash table `cells`, which has `room` cells, for the cell of this granule,
 * instruction and epoch. If this cell is missing, returns the free cell in which it belongs. */
static struct cell *cell_place(struct cell *cells, uint64_t room, uint64_t granule, uint64_t ip,
			       uint32_t epoch)
{
	for (uint64_t at = hash_cell(granule, ip, epoch);; at++) {
		struct cell *cell = &cells[at & (room - 1)];

		if (!cell->ip ||
		    (cell->granule == granule && cell->ip == ip && cell->epoch == epoch))
			return cell;
	}
}

static void forget_hot(struct counts *c)
{
	memset(c->hot, 0, sizeof(c->hot));
}

static void release_cells(struct counts *c)
{
	room_give(c->cells, c->room * sizeof(c->cells[0]));
}

static bool grow_cells(struct counts *c)
{
	const uint64_t room = c->room ? c->room * 2 : ROOM_LEAST;
	struct cell *cells = room_take(room * sizeof(cells[0]));
	sigset_t before;

	if (!cells)
		return false;
	for (uint64_t i = 0; i < c->room; i++) {
		const struct cell *old = &c->cells[i];

		if (old->ip)
			*cell_place(cells, room, old->granule, old->ip, old->epoch) = *old;
	}
	signals_block(&before);
	release_cells(c);
	c->cells = cells;
	c->room = room;
	forget_hot(c);
	signals_restore(&before);
	return true;
}

/* Returns the mask of the granule that contains an access: see cell.mask. */
static uint64_t mask_of(uint64_t address, unsigned bytes)
{
	if (bytes >= 1u << GRANULE_BITS || !pages_have_variables(address))
		return -(UINT64_C(1) << GRANULE_BITS);
	return bytes > 4 ? ~UINT64_C(7) : ~UINT64_C(3);
}

static struct cell *find_slow(struct counts *c, uint64_t ip, uint64_t address, unsigned bytes)
{
	const uint64_t mask = mask_of(address, bytes), granule = address & mask;
	const uint32_t seen = owners_changes, epoch = owners_epoch(address);
	struct cell *cell;

	if (c->used * 4 >= c->room * 3 && !grow_cells(c))
		return NULL;
	cell = cell_place(c->cells, c->room, granule, ip, epoch);
	cell->seen = seen;
	if (cell->ip)
		return cell;
	*cell = (struct cell){ .granule = granule,
			       .mask = mask,
			       .ip = ip,
			       .epoch = epoch,
			       .seen = seen,
			       .age = (uint32_t)c->used,
			       .address = address,
			       .time = stream_now() };
	c->used++;
	return cell;
}

/* If no owner has changed since, the cell is certainly still that of the granule's epoch. */
static bool is_cell(const struct cell *cell, uint64_t ip, uint64_t address)
{
	return cell && cell->ip == ip && cell->granule == (address & cell->mask) &&
	       cell->seen == owners_changes;
}

bool counts_known(const struct counts *c, uint64_t ip, uint64_t address, unsigned bytes)
{
	return is_cell(c->hot[ip % HOT], ip, address) ||
	       (c->room && cell_place(c->cells, c->room, address & mask_of(address, bytes), ip,
				      owners_epoch(address))
				   ->ip);
}

struct cell *counts_find(struct counts *c, uint64_t ip, uint64_t address, unsigned bytes)
{
	struct cell **hot = &c->hot[ip % HOT];

	if (!is_cell(*hot, ip, address))
		*hot = find_slow(c, ip, address, bytes);
	return *hot;
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

static void write_count(const struct cell *cell, struct stream *s, uint64_t n, uint64_t source)
{
	if (n)
		stream_sample(s, &(struct stream_sample){
					 .event = ACCESS_EVENT_ACCESS,
					 .ip = cell->ip,
					 .address = cell->address,
					 .period = n,
					 .time = cell->time,
					 .source = source,
				 });
}

static void write_counts(const struct cell *cell, struct stream *s)
{
	const enum movement none = holders_table ? MOVEMENT_NONE : MOVEMENT_UNKNOWN;

	for (int store = 0; store < 2; store++)
		for (int level = 0; level < LEVELS; level++) {
			const uint64_t moved = cell->moved[store][level];

			write_count(cell, s, cell->n[store][level] - moved,
				    source_of(store, (enum level)level, counts_modelled, none));
			write_count(cell, s, moved,
				    source_of(store, (enum level)level, counts_modelled,
					      MOVEMENT_MOVED));
		}
}

bool counts_over(const struct counts *c)
{
	return stream_now() > c->from + (c->lasts ? c->lasts : CELLS_LEAST_NS);
}

bool counts_due(struct counts *c)
{
	return c->used > CELLS_MOST || (++c->looks % LOOKS == 0 && counts_over(c));
}

/* WRITE_NS and CLEAR_NS: about how long it takes to write a cell, and to clear one */
bool counts_worth_writing(const struct counts *c)
{
	enum { WRITE_NS = 200, CLEAR_NS = 10, PART = 50 };

	return c->used && stream_now() > c->from + PART * (c->used * WRITE_NS + c->room * CLEAR_NS);
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

/* Returns the positions of the cells in the hash table, the oldest first. The caller frees the
 * array with room_give(). Returns NULL if there are no cells, or when out of memory. */
static uint32_t *positions_by_age(const struct counts *c)
{
	uint32_t *at = c->used ? room_take(c->used * sizeof(*at)) : NULL;

	for (uint64_t i = 0; at && i < c->room; i++)
		if (c->cells[i].ip)
			at[c->cells[i].age] = (uint32_t)i;
	return at;
}

/* The importer sorts records by time. It remembers a limited number of ascending runs of records,
 * so the cells must not be written in the order of the hash table. */
void counts_flush(struct counts *c, struct stream *s)
{
	uint32_t *by_age;
	sigset_t before;

	signals_block(&before);
	by_age = positions_by_age(c);
	for (uint64_t i = 0; i < (by_age ? c->used : c->room); i++) {
		const struct cell *cell = &c->cells[by_age ? by_age[i] : i];

		if (cell->ip)
			write_counts(cell, s);
	}
	room_give(by_age, c->used * sizeof(*by_age));
	if (c->used)
		memset(c->cells, 0, c->room * sizeof(c->cells[0]));
	c->used = 0;
	begin_interval(c);
	forget_hot(c);
	signals_restore(&before);
}

void counts_release(struct counts *c)
{
	release_cells(c);
	c->cells = NULL;
	c->room = c->used = 0;
	forget_hot(c);
}

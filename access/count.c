/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "count.h"

#include <stdlib.h>
#include <string.h>

enum { ROOM_LEAST = 1 << 12, HOT = 1024 };

bool counts_modelled;

static uint64_t hash(uint64_t x)
{
	x *= UINT64_C(0x9e3779b97f4a7c15);
	return x ^ x >> 32;
}

static void forget_hot(struct counts *c)
{
	memset(c->hot, 0, sizeof(c->hot));
}

static bool grow(struct counts *c)
{
	const uint64_t room = c->room ? c->room * 2 : ROOM_LEAST;
	struct cell *cells = calloc(room, sizeof(cells[0]));

	if (!cells)
		return false;
	for (uint64_t i = 0; i < c->room; i++) {
		uint64_t at = hash(c->cells[i].key);

		if (!c->cells[i].key)
			continue;
		while (cells[at & (room - 1)].key)
			at++;
		cells[at & (room - 1)] = c->cells[i];
	}
	free(c->cells);
	c->cells = cells;
	c->room = room;
	forget_hot(c);
	return true;
}

static struct cell *find_slow(struct counts *c, uint64_t key, const struct insn *in,
			      uint64_t address)
{
	uint64_t at = hash(key);
	struct cell *cell;

	if (c->used * 4 >= c->room * 3 && !grow(c))
		return NULL;
	for (;; at++) {
		cell = &c->cells[at & (c->room - 1)];
		if (cell->key == key)
			return cell;
		if (!cell->key)
			break;
	}
	*cell = (struct cell){ .key = key, .ip = in->ip, .address = address, .time = stream_now() };
	c->used++;
	return cell;
}

struct cell *counts_find(struct counts *c, const struct insn *in, uint64_t address)
{
	const uint64_t key = address >> GRANULE_BITS << INSN_BITS | in->id;
	const uint32_t slot = in->id & (HOT - 1);

	if (c->hot[slot].key != key || !c->hot[slot].cell) {
		c->hot[slot].cell = find_slow(c, key, in, address);
		c->hot[slot].key = key;
	}
	return c->hot[slot].cell;
}

uint64_t source_of(bool store, enum level level, bool modelled)
{
	static const uint64_t levels[LEVELS] = {
		[LEVEL_L1] = PERF_MEM_LVL_L1,
		[LEVEL_L2] = PERF_MEM_LVL_L2,
		[LEVEL_L3] = PERF_MEM_LVL_L3,
		[LEVEL_RAM] = PERF_MEM_LVL_LOC_RAM,
	};

	return (uint64_t)(store ? PERF_MEM_OP_STORE : PERF_MEM_OP_LOAD) |
	       (modelled ? (levels[level] | PERF_MEM_LVL_HIT) << PERF_MEM_LVL_SHIFT
			 : (uint64_t)PERF_MEM_LVL_NA << PERF_MEM_LVL_SHIFT);
}

static void put(const struct cell *cell, struct stream *s)
{
	for (int store = 0; store < 2; store++)
		for (int level = 0; level < LEVELS; level++)
			if (cell->n[store][level])
				stream_sample(s,
					      &(struct stream_sample){
						      .event = ACCESS_EVENT_ACCESS,
						      .ip = cell->ip,
						      .address = cell->address,
						      .period = cell->n[store][level],
						      .time = cell->time,
						      .source = source_of(store, (enum level)level,
									  counts_modelled),
					      });
}

void counts_flush(struct counts *c, struct stream *s)
{
	for (uint64_t i = 0; i < c->room; i++)
		if (c->cells[i].key)
			put(&c->cells[i], s);
	if (c->used)
		memset(c->cells, 0, c->room * sizeof(c->cells[0]));
	c->used = 0;
	c->from = stream_now();
	forget_hot(c);
}

void counts_release(struct counts *c)
{
	free(c->cells);
	c->cells = NULL;
	c->room = c->used = 0;
	forget_hot(c);
}

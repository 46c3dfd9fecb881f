/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "import/cached.h"

#include "database/data_source.h"
#include "import/pipeline.h"

enum { FIRST_LEVEL_BYTES = 32768 }; /* hardly any first-level data cache is smaller */

/* An object is small if its size is known and at most FIRST_LEVEL_BYTES, unless several threads use
 * it and one of them has written it. A thread's stack as a whole also counts as small, because it
 * is unknown how much of it is in use, unless the address is lost: code loses the addresses of an
 * array's elements rather than those of its own variables. A function's frame and a local variable
 * have a size. The target of a local pointer has none (its extent is 0), so it is never small. No
 * object on a stack is small any more when two of its samples are FIRST_LEVEL_BYTES or more apart.
 * For other objects this distance does not matter: an object with few bytes in the heap may consist
 * of blocks that are far apart. */
static bool is_small(const struct object *x, const struct row_sample *row)
{
	const uint64_t bytes = x->blocks ? x->peak_bytes : x->extent;

	if (x->written && x->shared)
		return false;
	if (x->kind == OBJECT_STACK && x->highest - x->lowest >= FIRST_LEVEL_BYTES)
		return false;
	if (x->kind == OBJECT_STACK && !x->local && !x->symbol)
		return row->kind.addr_source != ADDR_OBJECT;
	return bytes && bytes <= FIRST_LEVEL_BYTES;
}

static void note_user(struct object *x, const struct row_sample *row)
{
	const uint64_t address = row->data.has & HAS_address ? (uint64_t)row->data.address : 0;

	if (address && (!x->highest || address < x->lowest))
		x->lowest = address;
	if (address > x->highest)
		x->highest = address;
	x->shared |= x->user && x->user != row->data.thread_id;
	x->user = row->data.thread_id;
	x->written |= row->kind.memory_opcode == MEMORY_STORE ||
		      row->kind.memory_opcode == MEMORY_LOAD_STORE;
}

/* Did the sample wait, or may it have waited, for memory at its address? False if the address is
 * that of a later access (ADDR_NEXT) or of a page fault. */
static bool is_wait(const struct access_kind *k)
{
	return k->addr_source != ADDR_NEXT && k->addr_source != ADDR_FAULT &&
	       (k->time_kind == TIME_MEMORY || (k->time_kind == TIME_UNKNOWN && k->missed == 1));
}

void cached_find(struct import *im, struct row_sample *row)
{
	struct object *x = &AT_ID(im->model.objects.objects, row->data.object_id);

	note_user(x, row);
	if (!is_wait(&row->kind) || !is_small(x, row))
		return;
	row->kind.time_kind = TIME_CACHED;
	row->kind.missed = 0;
	waits_uncharged(im, row->data.object_id, (uint64_t)row->data.period);
}

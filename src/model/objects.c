/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Handles births and deaths of blocks. A block is one allocation. Each process has a map
 * (rangemap.h, a tree) from addresses to its live blocks. The blocks of all processes are in one
 * array, whose free slots form a list.
 *
 * After a fork parent and child share the tree nodes of their maps, so one block may be in many
 * maps. A block counts the nodes that contain it, and is freed when no node does. Its end is
 * reported once, by the process that owns it.
 *
 * If a block is born at the address of a live block, the older block ends: its death was lost, or
 * another thread will log it later. The program may unmap a part of a mapping that the tracker
 * reported. Then each remaining part becomes a block. All parts refer to one split_mapping, which
 * ends with its last part.
 *
 * What must stay true: a search examines only the block with the greatest start at or below the
 * address, so the blocks in the map of a process must not overlap. There is one exception: a heap
 * block whose death was lost or comes later may overlap younger blocks that begin inside it. Then
 * the search finds only the younger blocks.
 */
#include "model/objects.h"

#include <string.h>

#include "base/count.h"
#include "model/internal.h"

/* Callback of struct rangemap: one more tree node contains the block o->blocks.at[at]. */
static void block_hold(void *arg, uint32_t at)
{
	struct objects *o = arg;

	o->blocks.at[at].holds++;
}

/* Drops a block's reference to its split_mapping o->splits.at[split - 1]. 0 is ignored: the block
 * is not a part of a mapping that was split. */
static void split_drop(struct objects *o, uint32_t split)
{
	struct split_mapping *w = split ? &AT_ID(o->splits, split) : NULL;

	if (!w || --w->blocks)
		return;
	w->parts = o->free_splits;
	o->free_splits = split;
}

/* Callback of struct rangemap: one tree node less contains the block o->blocks.at[at]. If it was
 * the last one, frees the block. */
static void block_drop(void *arg, uint32_t at)
{
	struct objects *o = arg;
	struct block *b = &o->blocks.at[at];

	if (--b->holds)
		return;
	deferred_unlink(o, b);
	split_drop(o, b->split);
	b->split = o->free_blocks;
	o->free_blocks = at + 1;
}

void objects_init(struct objects *o, struct space *space, const struct block_sink *sink)
{
	memset(o, 0, sizeof(*o));
	o->space = space;
	o->sink = *sink;
	o->holds = (struct rangemap_holds){ block_hold, block_drop, o };
	o->weights.at[0] = 1;
	o->weights.n = 1;
}

/* Frees all blocks without reporting their ends; objects_end_process() reports them. */
void objects_release(struct objects *o)
{
	for (uint32_t i = 0; o->space && i < o->space->processes.n; i++)
		memory_drop_blocks(&o->space->processes.at[i]);
	free(o->objects.at);
	free(o->blocks.at);
	free(o->splits.at);
	free(o->ended.at);
	free(o->deferred.at);
	free(o->of_path[0].at);
	free(o->of_path[1].at);
	free(o->tls_of_path.at);
	free(o->of_thread.at);
	index_release(&o->of_thread_index);
	free(o->of_file.at);
	index_release(&o->of_file_index);
	free(o->of_dso.at);
	index_release(&o->of_dso_index);
	free(o->of_block.at);
	memset(o, 0, sizeof(*o));
}

/* Returns position + 1 of a free slot in o->blocks; 0 means out of memory. */
static uint32_t slot_new(struct objects *o)
{
	uint32_t slot = o->free_blocks;

	if (slot) {
		o->free_blocks = AT_ID(o->blocks, slot).split;
	} else if (VEC_ROOM(&o->blocks)) {
		slot = ++o->blocks.n;
	} else {
		o->nomem = true;
		return 0;
	}
	return slot;
}

/* Adds a split_mapping that refers to one part. Returns position + 1 in o->splits; 0 means out of
 * memory. */
static uint32_t split_new(struct objects *o, uint64_t start, uint64_t size)
{
	uint32_t split = o->free_splits;

	if (split) {
		o->free_splits = AT_ID(o->splits, split).parts;
	} else if (VEC_ROOM(&o->splits)) {
		split = ++o->splits.n;
	} else {
		o->nomem = true;
		return 0;
	}
	AT_ID(o->splits, split) =
		(struct split_mapping){ .start = start, .size = size, .parts = 1, .blocks = 1 };
	return split;
}

/* Returns the index in o->weights of a weight: the number of blocks that one recorded block
 * represents. If o->weights is full, a new weight counts as 1. */
static uint8_t weight_place(struct objects *o, uint16_t weight)
{
	uint32_t i = 0;

	if (weight < 2)
		return 0;
	for (i = 1; i < o->weights.n && o->weights.at[i] != weight; i++)
		;
	if (i == COUNT_OF(o->weights.at))
		return 0;
	o->weights.at[i] = weight;
	if (i == o->weights.n)
		o->weights.n++;
	return (uint8_t)i;
}

/* Subtracts `bytes` from the object's live_bytes. Stops at 0, because the bytes of an unmapped part
 * may have been subtracted before. */
static void forget_bytes(struct objects *o, uint32_t object, uint64_t bytes)
{
	struct object *x = &AT_ID(o->objects, object);

	x->live_bytes -= bytes < x->live_bytes ? bytes : x->live_bytes;
}

/* How, why and by whom blocks are ended: `how` is an enum block_end, `site` is the argument of
 * block_sink.call_path(), `process` and `thread` end the blocks. */
struct ending {
	struct objects *o;
	enum object_kind kind;
	uint32_t process, thread, call_path;
	const void *site;
	uint64_t time;
	enum block_end how;
};

/* Returns the description of the end of blocks that are still alive at the address where b is born.
 * Does not end them. */
static struct ending ending_by(struct objects *o, enum object_kind kind, uint32_t process,
			       const struct birth *b)
{
	return (struct ending){ .o = o,
				.kind = kind,
				.process = process,
				.thread = b->thread,
				.call_path = b->call_path,
				.time = b->time,
				.how = BLOCK_REUSED };
}

/* Handles the end of the block o->blocks.at[at], which begins at `start`: reports it if e->process
 * owns the block, and remembers it for a block that may replace this one. The caller removes the
 * block from the map of e->process. */
static void block_end(const struct ending *e, uint64_t start, uint32_t at)
{
	struct objects *o = e->o;
	struct block *b = &o->blocks.at[at];
	struct split_mapping *w = b->split ? &AT_ID(o->splits, b->split) : NULL;
	struct ended_block end = {
		.block = b,
		.start = w ? w->start : start,
		.size = w ? w->size : b->size,
		.time = e->time,
		.object = object_of(o, e->kind, b),
		.thread = e->thread,
		.call_path = e->call_path,
		.site = e->site,
		.weight = o->weights.at[b->weight],
		.how = e->how,
	};

	uint32_t deferred = 0;

	if (b->process != e->process) {
		/* the process does not own the block, so the block stays alive in its owner. If the
		 * process replaced it by realloc(), the block must be stored, because the new block
		 * refers to it */
		if (e->how == BLOCK_RESIZED)
			block_keep(o, b);
	} else {
		forget_bytes(o, end.object, b->size * end.weight);
		if (!w || !--w->parts)
			deferred = block_ended(o, &end);
	}
	block_remember_end(o, e->process, &end, deferred);
}

/* Callback of rangemap_cut() for each block that begins in the removed range. */
static void on_cut(void *arg, uint64_t start, uint32_t at)
{
	block_end(arg, start, at);
}

/* Adds the block in a slot (position + 1 in o->blocks) to a map. The caller's reference to the slot
 * passes to the map. Returns false when out of memory. */
static bool map_put(struct objects *o, struct rangemap *map, uint64_t start, uint32_t slot)
{
	map->holds = &o->holds;
	if (slot && !rangemap_put(map, start, slot - 1))
		return true;
	if (slot)
		block_drop(o, slot - 1);
	o->nomem = true;
	return false;
}

/* Adds the block in a slot to the map. The block occupies the addresses from `start` to `last`.
 * Ends the live blocks that begin there: their deaths were lost or come later. Nearly always there
 * are none; a single search of the map finds that out. */
static bool map_put_over(const struct ending *e, struct rangemap *map, uint64_t start,
			 uint64_t last, uint32_t slot)
{
	int ret;

	map->holds = &e->o->holds;
	ret = slot ? rangemap_put_free(map, start, last, slot - 1) : 1;
	if (ret > 0 && rangemap_cut(map, start, last, on_cut, (void *)e) < 0)
		e->o->nomem = true;
	return !ret || map_put(e->o, map, start, slot);
}

static bool maps_file(const struct birth *b)
{
	return b->file || b->dso;
}

/* Is a new block of the object stored because of its size? A program may allocate large temporary
 * blocks many million times. */
static bool is_kept(const struct objects *o, uint32_t object, const struct birth *b)
{
	return b->size >= o->sink.keep_bytes &&
	       (!o->sink.keep_most || AT_ID(o->objects, object).blocks < o->sink.keep_most);
}

/* Fills in a new block of the object, with a reference count of 1. */
static void block_init(const struct ending *e, uint32_t object, struct block *block,
		       const struct birth *b)
{
	struct objects *o = e->o;

	*block = (struct block){
		.size = b->size,
		.time = b->time,
		.id = o->last_id + 1,
		.process = e->process,
		.thread = b->thread,
		.call_path = b->call_path,
		.holds = 1,
		.keeps = e->kind == OBJECT_MAPPING || is_kept(o, object, b),
		.cpu = b->cpu < INT16_MAX ? (int16_t)b->cpu : -1,
		.function = b->function,
		.weight = weight_place(o, b->weight),
		.of_file = maps_file(b),
	};
}

/* Adds a new block to the map. Assigns its allocations.id now, because samples refer to it while it
 * is alive. */
static void block_add(const struct ending *e, struct rangemap *map, const struct birth *b,
		      uint64_t last)
{
	struct objects *o = e->o;
	const uint32_t process = e->process, object = object_for(o, e->kind, process, b),
		       slot = object ? slot_new(o) : 0;
	uint16_t weight;
	struct object *x;

	if (slot && maps_file(b) && !object_note(o, o->last_id + 1, object))
		return;
	if (slot)
		block_init(e, object, &AT_ID(o->blocks, slot), b);
	if (!map_put_over(e, map, b->start, last, slot))
		return;
	weight = o->weights.at[AT_ID(o->blocks, slot).weight];
	block_take_previous(o, process, b, &AT_ID(o->blocks, slot));
	o->last_id++;
	x = &AT_ID(o->objects, object);
	x->blocks += weight;
	x->total_bytes += b->size * weight;
	x->live_bytes += b->size * weight;
	x->estimated |= weight > 1;
	if (x->live_bytes > x->peak_bytes)
		x->peak_bytes = x->live_bytes;
}

/* A block of size 0 occupies one address, because malloc(0) returns a unique pointer. */
void objects_birth(struct objects *o, uint32_t process, const struct birth *b)
{
	struct rangemap *map = &space_memory(o->space, process)->blocks;
	uint64_t last = b->size ? b->start + b->size - 1 : b->start;
	const struct ending e = ending_by(o, OBJECT_HEAP, process, b);

	if (last < b->start)
		last = UINT64_MAX;
	block_add(&e, map, b, last);
}

/* Also returns false if the block has been ended already by the birth of a block that contains this
 * address. */
bool objects_death(struct objects *o, uint32_t process, uint64_t start, uint64_t time,
		   uint32_t thread, const void *site, enum block_end how)
{
	struct rangemap *map = &space_memory(o->space, process)->blocks;
	const struct ending e = { .o = o,
				  .kind = OBJECT_HEAP,
				  .process = process,
				  .thread = thread,
				  .site = site,
				  .time = time,
				  .how = how };
	uint32_t at;

	if (!rangemap_del(map, start, &at)) {
		o->nomem |= map->nomem;
		return false;
	}
	block_end(&e, start, at);
	block_drop(o, at);
	return true;
}

/* Adds a block for [start, end), a remaining part of the mapping o->blocks.at[at]. */
static void part_put(struct objects *o, struct rangemap *map, uint32_t at, uint64_t start,
		     uint64_t end)
{
	const uint32_t slot = slot_new(o);
	struct block *part = slot ? &AT_ID(o->blocks, slot) : NULL;
	struct split_mapping *w = &AT_ID(o->splits, o->blocks.at[at].split);

	w->blocks++;
	w->parts += o->blocks.at[at].process == map->owner;
	if (part) {
		*part = o->blocks.at[at];
		part->size = end - start;
		part->holds = 1;
	}
	map_put(o, map, start, slot);
}

/* Cuts [start, end) out of the tracked mapping that begins at `key`. Its parts before and after
 * stay alive. Other processes that share its block keep the entire block. */
static void map_cut(const struct ending *e, struct rangemap *map, uint64_t key, uint64_t start,
		    uint64_t end)
{
	struct objects *o = e->o;
	struct block *b;
	uint64_t b_end;
	uint32_t at;

	if (!rangemap_del(map, key, &at)) {
		o->nomem |= map->nomem;
		return;
	}
	b = &o->blocks.at[at];
	b_end = key + b->size;
	if (!b->split)
		b->split = split_new(o, key, b->size);
	if (b->split && b->process == e->process) {
		forget_bytes(o, object_of(o, e->kind, b),
			     (b_end < end ? b_end : end) - (key > start ? key : start));
		AT_ID(o->splits, b->split).parts--;
	}
	if (b->split && key < start)
		part_put(o, map, at, key, start);
	if (o->blocks.at[at].split && b_end > end)
		part_put(o, map, at, end, b_end);
	block_drop(o, at);
}

/* The parts of a mapping before and after the range stay alive, as blocks of their own. */
void objects_unmap(struct objects *o, uint32_t process, uint64_t start, uint64_t end, uint64_t time,
		   uint32_t thread, uint32_t call_path, enum block_end how)
{
	struct rangemap *map = &space_memory(o->space, process)->tracked_maps;
	struct ending e = { .o = o,
			    .kind = OBJECT_MAPPING,
			    .process = process,
			    .thread = thread,
			    .call_path = call_path,
			    .time = time,
			    .how = how };
	uint64_t key;
	uint32_t at;

	if (start >= end)
		return;
	if (rangemap_le(map, start, &key, &at) && key < start &&
	    key + o->blocks.at[at].size > start)
		map_cut(&e, map, key, start, end);
	if (rangemap_le(map, end - 1, &key, &at) && key >= start &&
	    key + o->blocks.at[at].size > end)
		map_cut(&e, map, key, start, end);
	if (rangemap_cut(map, start, end - 1, on_cut, &e) < 0)
		o->nomem = true;
}

/* Ignores an invalid range: the program passed it to mmap(), or the log is damaged. */
void objects_map(struct objects *o, uint32_t process, const struct birth *b)
{
	const struct ending e = ending_by(o, OBJECT_MAPPING, process, b);

	if (!b->size || b->size > UINT64_MAX - b->start)
		return; /* empty, or wraps around */
	objects_unmap(o, process, b->start, b->start + b->size, b->time, b->thread, b->call_path,
		      BLOCK_REUSED);
	block_add(&e, &space_memory(o->space, process)->tracked_maps, b, b->start);
}

/* Also called at the end of the recording, with BLOCK_LIVES, to report the blocks that are still
 * alive. */
void objects_end_process(struct objects *o, uint32_t process, uint64_t time, enum block_end how)
{
	struct process_memory *m = space_process(o->space, process)->memory;
	struct ending e = { .o = o, .process = process, .time = time, .how = how };

	if (!m) { /* the process never needed maps: all its blocks are inherited */
		memory_drop_blocks(space_process(o->space, process));
		return;
	}
	e.kind = OBJECT_HEAP;
	rangemap_cut(&m->blocks, 0, UINT64_MAX, on_cut, &e);
	e.kind = OBJECT_MAPPING;
	rangemap_cut(&m->tracked_maps, 0, UINT64_MAX, on_cut, &e);
}

/* Parent and child share the maps of blocks; a tree node is copied only when one of the two changes
 * it. */
void objects_fork(struct objects *o, uint32_t parent, uint32_t child)
{
	memory_inherit_blocks(o->space, parent, child);
}

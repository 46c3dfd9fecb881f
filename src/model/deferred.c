/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decides which blocks are stored.
 *
 * A program may allocate millions of blocks, and samples may hit only a thousand of them. All
 * blocks are counted, but only some are stored, each in a row of its own. A block is stored if one
 * of these is true: a sample or a page fault hit it; it is large; it is a mapping; the program did
 * not free it, but freed at least half of the blocks of its object; a stored block replaced it by
 * realloc; or a process that does not own it, such as a forked child, replaced it by realloc.
 *
 * Events and samples arrive in time order, so all samples of a block are known when it ends, with
 * two exceptions. First, a block that replaces another one by realloc refers to the old block, and
 * a sample may hit the new block later. Second, after a fork a child may still use a block that its
 * parent has freed. In both cases the end is deferred: it is kept here until the new block has
 * ended, or until no process has the old block in its map. So there is at most one deferred end for
 * each live block and one for each thread, never one for each event. To stay within this limit, a
 * block that is stored only because of its successor refers to its own predecessor only if the
 * predecessor has been stored already.
 */
#include "base/count.h"
#include "model/internal.h"

/* The end of a block that may have to be stored later, if another event requires it. */
struct deferred {
	struct block block;
	struct ended_block end;
	/* number of references to this end. The block itself has a reference while the map of a
	 * forked child contains the block. The block that replaced it by realloc has another; until
	 * that block is born, objects.ended has this reference. In a free element: position + 1 of
	 * the next free element */
	uint32_t references;
	bool stored;
};

const char *block_end_name(enum block_end how)
{
	static const char *const names[] = {
		[BLOCK_LIVES] = NULL,
		[BLOCK_FREED] = "freed",
		[BLOCK_RESIZED] = "resized",
		[BLOCK_REUSED] = "reused",
		[BLOCK_PROCESS_END] = "process end",
	};
	_Static_assert(COUNT_OF(names) == BLOCK_PROCESS_END + 1, "one name for each");

	return names[how];
}

/* Did the program end the block by a call? BLOCK_REUSED counts as such a call, whose report was
 * lost. Otherwise the block is still alive, or ended with its process. */
static bool was_freed(enum block_end how)
{
	return how != BLOCK_LIVES && how != BLOCK_PROCESS_END;
}

/* Sets e->call_path now, even if the end is stored later: the call path is found from e->site,
 * which is valid only during the current event. */
static void find_call_path(struct objects *o, struct ended_block *e)
{
	if (e->site && o->sink.call_path)
		e->call_path = o->sink.call_path(o->sink.arg, e->site);
	e->site = NULL;
}

static void store_block(struct objects *o, const struct ended_block *e)
{
	if (o->sink.store)
		o->sink.store(o->sink.arg, e);
}

/* Stores the block of the deferred end o->deferred.at[place - 1], if that has not been done.
 * Returns the block's allocations.id. */
static uint32_t deferred_store(struct objects *o, uint32_t place)
{
	struct deferred *d = &AT_ID(o->deferred, place);

	if (!d->stored) {
		d->stored = true;
		/* o->deferred.at may have been reallocated since the end was deferred */
		d->end.block = &d->block;
		store_block(o, &d->end);
	}
	return d->block.id;
}

/* Drops one reference to the deferred end o->deferred.at[place - 1]; the last one frees that
 * element. Ignores place 0. */
static void deferred_release(struct objects *o, uint32_t place)
{
	struct deferred *d = place ? &AT_ID(o->deferred, place) : NULL;

	if (!d || --d->references)
		return;
	d->references = o->free_deferred;
	o->free_deferred = place;
}

/* Drops the reference from a block to a deferred end (the block's own end, or the end of the block
 * that it replaced), if there is one. */
void deferred_unlink(struct objects *o, struct block *b)
{
	if (b->previous_is == PREVIOUS_ID)
		return;
	deferred_release(o, b->previous);
	b->previous_is = PREVIOUS_ID;
	b->previous = 0;
}

/* Adds the end of a block to o->deferred, with this number of references. Returns its position + 1
 * there; 0 means out of memory. */
static uint32_t defer(struct objects *o, const struct ended_block *e, uint32_t references)
{
	uint32_t place = o->free_deferred;

	if (place) {
		o->free_deferred = AT_ID(o->deferred, place).references;
	} else if (VEC_ROOM(&o->deferred)) {
		place = ++o->deferred.n;
	} else {
		o->nomem = true;
		return 0;
	}
	AT_ID(o->deferred, place) =
		(struct deferred){ .block = *e->block, .end = *e, .references = references };
	return place;
}

/* Did the program free at least half of the blocks of this object, but not this one? Then it may
 * be a leak. */
static bool is_left_over(const struct objects *o, const struct ended_block *e)
{
	const struct object *x = &AT_ID(o->objects, e->object);

	return !was_freed(e->how) && x->ended >= x->blocks - x->ended;
}

uint32_t block_ended(struct objects *o, struct ended_block *e)
{
	struct block *b = e->block;
	const bool inherited = b->holds > 1, resized = e->how == BLOCK_RESIZED;
	uint32_t place;

	if (was_freed(e->how))
		AT_ID(o->objects, e->object).ended += e->weight;
	b->keeps |= is_left_over(o, e);
	if (b->keeps && b->previous_is == PREVIOUS_DEFERRED) {
		const uint32_t previous = b->previous;

		b->previous = deferred_store(o, previous);
		b->previous_is = PREVIOUS_ID;
		deferred_release(o, previous);
	}
	deferred_unlink(o, b);
	if (o->sink.count)
		o->sink.count(o->sink.arg, e);
	if (!b->keeps && !inherited && !resized)
		return 0;
	find_call_path(o, e);
	if (b->keeps) {
		store_block(o, e);
		return 0;
	}
	place = defer(o, e, (uint32_t)inherited + resized);
	if (place && inherited) {
		b->previous = place;
		b->previous_is = PREVIOUS_OWN;
	}
	return resized ? place : 0;
}

/* Marks a block to be stored. If the block has ended already (its end is deferred), it is stored
 * now, otherwise when it ends. */
void block_keep(struct objects *o, struct block *b)
{
	b->keeps = true;
	if (b->previous_is != PREVIOUS_OWN)
		return;
	deferred_store(o, b->previous);
	deferred_unlink(o, b);
}

/* Marks the block that a sample or a page fault hit, so that it is stored. */
void objects_hit(struct objects *o, const struct place *p)
{
	if (!p->block)
		return;
	AT_ID(o->blocks, p->block).hit = true;
	block_keep(o, &AT_ID(o->blocks, p->block));
}

void block_remember_end(struct objects *o, uint32_t process, const struct ended_block *end,
			uint32_t deferred)
{
	struct ended *e;

	if (!VEC_REACH(&o->ended, end->thread + 1)) {
		deferred_release(o, deferred);
		o->nomem = true;
		return;
	}
	e = &o->ended.at[end->thread];
	deferred_release(o, e->deferred);
	*e = (struct ended){ .start = end->start,
			     .size = end->size,
			     .birth = end->block->time,
			     .time = end->time,
			     .process = process,
			     .id = end->block->id,
			     .deferred = deferred,
			     .stored = end->block->keeps };
}

/* For a birth by realloc() or mremap(), returns the block that the new one replaces. The tracker
 * logs the end of the old block before the birth of the new one, so the old block is the last block
 * that the thread has ended. */
const struct ended *objects_replaced(const struct objects *o, uint32_t process,
				     const struct birth *b)
{
	const struct ended *e;

	if (!b->old_address || b->thread >= o->ended.n)
		return NULL;
	e = &o->ended.at[b->thread];
	return e->process == process && e->start == b->old_address ? e : NULL;
}

void block_take_previous(struct objects *o, uint32_t process, const struct birth *b,
			 struct block *block)
{
	struct ended *e = objects_replaced(o, process, b) ? &o->ended.at[b->thread] : NULL;

	if (!e)
		return;
	if (e->deferred && !block->keeps) {
		block->previous = e->deferred;
		block->previous_is = PREVIOUS_DEFERRED;
	} else if (e->deferred) {
		block->previous = deferred_store(o, e->deferred);
		deferred_release(o, e->deferred);
	} else if (e->stored) {
		block->previous = e->id;
	}
	*e = (struct ended){ 0 };
}

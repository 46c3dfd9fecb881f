/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which blocks are stored.
 *
 * A program may make millions of blocks of which samples hit a thousand. All are counted, but a row
 * of its own is only for a block that matters: a sample or a page fault hit it, it is large, it
 * was never freed though most of its object's blocks were, or a stored block replaced it.
 *
 * Events and samples arrive in the order of time, so at the end of a block all its samples are
 * known. Two facts come later: realloc's new block, which may be hit, refers to the old one, and
 * after a fork a child may still use a block that its parent has freed. In both cases the end is
 * deferred: kept here, until the new block has ended or no process holds the old one. So there is
 * at most one deferred end for each live block, never one for each event. That is why a block that
 * is only stored for its successor refers to its own predecessor only if that has been stored
 * already.
 */
#include "base/count.h"
#include "model/internal.h"

/* The end of a block that is not stored so far. */
struct deferred {
	struct block block;
	struct ended_block end;
	/* the block itself while a child holds it, its successor; if free: the next free one + 1 */
	uint32_t references;
	bool stored;
};

/* NULL for blocks that are alive. */
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

/* By the program, as opposed to the end of its process. */
static bool was_freed(enum block_end how)
{
	return how != BLOCK_LIVES && how != BLOCK_PROCESS_END;
}

static void store(struct objects *o, const struct ended_block *e)
{
	if (o->sink.store)
		o->sink.store(o->sink.arg, e);
}

/* Returns the id that other rows refer to. */
uint32_t deferred_store(struct objects *o, uint32_t place)
{
	struct deferred *d = &AT_ID(o->deferred, place);

	if (!d->stored) {
		d->stored = true;
		d->end.block = &d->block; /* the table may have moved */
		store(o, &d->end);
	}
	return d->block.id;
}

/* 0 is fine: nothing was deferred. */
void deferred_release(struct objects *o, uint32_t place)
{
	struct deferred *d = place ? &AT_ID(o->deferred, place) : NULL;

	if (!d || --d->references)
		return;
	d->references = o->free_deferred;
	o->free_deferred = place;
}

/* The block no longer needs the row of its predecessor. */
void deferred_unlink(struct objects *o, struct block *b)
{
	if (b->previous_is == PREVIOUS_ID)
		return;
	deferred_release(o, b->previous);
	b->previous_is = PREVIOUS_ID;
	b->previous = 0;
}

/* Defers the end of a block, with this many references: its place, 0 when out of memory. */
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

/* Is it one of the few blocks of its object that the program did not free? */
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
	if (b->keeps)
		store(o, e);
	if (b->keeps || (!inherited && !resized))
		return 0;
	place = defer(o, e, (uint32_t)inherited + resized);
	if (place && inherited) {
		b->previous = place;
		b->previous_is = PREVIOUS_OWN;
	}
	return resized ? place : 0;
}

/* A block with a row needs its predecessor's row too: the user follows realloc backward. */
void block_keep(struct objects *o, struct block *b)
{
	b->keeps = true;
	if (b->previous_is != PREVIOUS_OWN)
		return;
	deferred_store(o, b->previous);
	deferred_unlink(o, b);
}

/* A sample or fault makes a block worth a row. */
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

/* A realloc that moved: the tracker logs the end first. */
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

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The last touch of each page. Pages that are touched together lie together, so touches are stored
 * in runs of TOUCH_RUN pages, which are found by hash.
 *
 * Huge pages would fill many runs. Therefore there are levels: on level n one entry stands for a
 * page of TOUCH_ORDERS * n orders more, and a search asks each level that is in use. Touches before
 * the last one are kept in a list where a fork may have to look back.
 */
#include "model/touch.h"

#include <string.h>

/* Leaves *t empty. */
void touches_release(struct touches *t)
{
	free(t->runs.at);
	free(t->past.at);
	index_release(&t->index);
	memset(t, 0, sizeof(*t));
}

/* Levels use separate runs: a run stores page numbers, which leaves low bits free for the level. */
static uint64_t run_key(uint64_t page, unsigned level)
{
	return page >> TOUCH_ORDERS * level << 2 | level;
}

/* A small table of runs that were used last. */
static unsigned recent_place(uint32_t process, uint64_t key)
{
	return (unsigned)(key >> 2 ^ process) % TOUCH_RECENT; /* the lower bits are the level */
}

/* 0: there is none. */
static __attribute__((noinline)) uint32_t run_search(const struct touches *t, uint32_t process,
						     uint64_t key)
{
	uint32_t hash = index_hash(key, process), place = hash, id;

	while ((id = index_next(&t->index, hash, &place)))
		if (AT_ID(t->runs, id).key == key && AT_ID(t->runs, id).process == process)
			break;
	return id;
}

/* Position + 1 of a run, 0: there is none. */
static inline uint32_t run_at(const struct touches *t, uint32_t process, uint64_t key)
{
	unsigned recent = recent_place(process, key);

	if (t->recent[recent].key == key && t->recent[recent].process == process)
		return t->recent[recent].run;
	return run_search(t, process, key);
}

/* 0 when out of memory. */
static uint32_t run_add(struct touches *t, uint32_t process, uint64_t key)
{
	struct touch_run *run;

	if (!VEC_ROOM(&t->runs) || !index_add(&t->index, index_hash(key, process), t->runs.n + 1)) {
		t->nomem = true;
		return 0;
	}
	run = &t->runs.at[t->runs.n++];
	memset(run, 0, sizeof(*run));
	run->key = key;
	run->process = process;
	return t->runs.n;
}

/* Pages of one size count as one. */
static unsigned place_in_run(uint64_t page, unsigned level)
{
	return (page >> TOUCH_ORDERS * level) % TOUCH_RUN;
}

/* Of this level only. */
static const struct touch *find_touch(const struct touches *t, uint32_t process, uint64_t page,
				      unsigned level)
{
	uint32_t id = run_at(t, process, run_key(page / TOUCH_RUN, level));
	const struct touch *touch = id ? &AT_ID(t->runs, id).at[place_in_run(page, level)] : NULL;

	return touch && touch->time ? touch : NULL;
}

/* NULL when out of memory. */
static struct touch *make_touch(struct touches *t, uint32_t process, uint64_t page, unsigned level)
{
	uint64_t key = run_key(page / TOUCH_RUN, level);
	unsigned recent = recent_place(process, key);
	uint32_t id = run_at(t, process, key);

	if (!id)
		id = run_add(t, process, key);
	if (!id)
		return NULL;
	t->recent[recent].key = key;
	t->recent[recent].process = process;
	t->recent[recent].run = id;
	return &AT_ID(t->runs, id).at[place_in_run(page, level)];
}

/* keep: the older touch stays in the list. */
static void put_touch(struct touches *t, uint32_t process, uint64_t page, unsigned level,
		      const struct touch *touch, bool keep)
{
	struct touch *to = make_touch(t, process, page, level);
	uint32_t older;

	if (!to)
		return;
	older = to->older;
	if (to->time && keep) {
		if (!VEC_ROOM(&t->past)) {
			t->nomem = true;
			return;
		}
		t->past.at[t->past.n++] = *to;
		older = t->past.n;
	}
	*to = *touch;
	to->older = older;
}

/* A page that is larger than its level is stored as several. */
void touches_put(struct touches *t, uint32_t process, uint64_t page, const struct touch *touch,
		 bool keep)
{
	unsigned level = touch->order / TOUCH_ORDERS, left;
	uint64_t first = page >> touch->order << touch->order;

	level = level < TOUCH_LEVELS ? level : TOUCH_LEVELS - 1;
	left = touch->order - level * TOUCH_ORDERS;
	if (left >= TOUCH_ORDERS) { /* there are no pages of this size */
		left = 0;
		first = page;
	}
	for (uint64_t i = 0; i < 1u << left && !t->nomem; i++)
		put_touch(t, process, first + (i << level * TOUCH_ORDERS), level, touch, keep);
	t->levels = level < t->levels ? t->levels : level + 1;
}

/* The newest of all levels: a huge page may have been split, or small ones merged. */
const struct touch *touches_get(const struct touches *t, uint32_t process, uint64_t page)
{
	const struct touch *last = NULL;

	for (unsigned level = 0; level < t->levels; level++) {
		const struct touch *x = find_touch(t, process, page, level);

		if (x && (!last || x->time > last->time))
			last = x;
	}
	return last;
}

/* -1: no node has more than half of the pages with a known node. */
int32_t touches_majority(const struct touches *t, uint32_t process, uint64_t first, uint32_t pages,
			 uint64_t since)
{
	int64_t lead = 0, on_node = 0;
	int32_t node = -1;

	/* Boyer-Moore majority vote: the first pass finds the only candidate, the second counts
	 * it. */
	for (int count = 0; count < 2; count++) {
		for (uint64_t page = first; page < first + pages; page += TOUCH_RUN) {
			uint32_t id = run_at(t, process, run_key(page / TOUCH_RUN, 0));

			for (unsigned i = 0; id && i < TOUCH_RUN; i++) {
				const struct touch *x = &AT_ID(t->runs, id).at[i];

				if (!x->time || x->time < since || x->node < 0)
					continue;
				on_node += count && x->node == node;
				if (count)
					continue;
				node = lead ? node : x->node;
				lead += x->node == node ? 1 : -1;
			}
		}
	}
	return on_node > pages / 2 ? node : -1;
}

/* NULL: there was none then. */
const struct touch *touches_before(const struct touches *t, const struct touch *touch,
				   uint64_t time)
{
	while (touch && touch->time > time)
		touch = touch->older ? &AT_ID(t->past, touch->older) : NULL;
	return touch;
}

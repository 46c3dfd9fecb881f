/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stores the last touch of each page: the access that made the kernel place it. Programs touch
 * adjacent pages together, so touches are stored in runs of TOUCH_RUN pages. A hash table finds the
 * runs.
 *
 * A huge page would fill many runs. So there are levels: on level n, one entry represents
 * 2^(TOUCH_ORDERS * n) base pages. A search tries each level that contains touches. An older touch
 * of a page is kept in a list (touches.past) if a later query may need it, for example after a
 * fork.
 */
#include "model/touch.h"

#include <string.h>

void touches_release(struct touches *t)
{
	free(t->runs.at);
	free(t->past.at);
	index_release(&t->index);
	memset(t, 0, sizeof(*t));
}

/* Returns the key of the run that has this page on a level. `page` is the number of a base page,
 * divided by TOUCH_RUN. The two low bits of the key are the level. */
static uint64_t run_key(uint64_t page, unsigned level)
{
	return page >> TOUCH_ORDERS * level << 2 | level;
}

/* Returns the index in t->recent, a cache of runs of pages, at which the run with this key would
 * be. */
static unsigned recent_place(uint32_t process, uint64_t key)
{
	/* without the two low bits, which are the level and nearly always the same */
	return (unsigned)(key >> 2 ^ process) % TOUCH_RECENT;
}

/* Returns position + 1 in t->runs of the run of pages with this key; 0 if there is none. */
static __attribute__((noinline)) uint32_t run_search(const struct touches *t, uint32_t process,
						     uint64_t key)
{
	uint32_t hash = index_hash(key, process), place = hash, id;

	while ((id = index_next(&t->index, hash, &place)))
		if (AT_ID(t->runs, id).key == key && AT_ID(t->runs, id).process == process)
			break;
	return id;
}

/* Like run_search(), but searches the cache t->recent first. */
static inline uint32_t run_at(const struct touches *t, uint32_t process, uint64_t key)
{
	unsigned recent = recent_place(process, key);

	if (t->recent[recent].key == key && t->recent[recent].process == process)
		return t->recent[recent].run;
	return run_search(t, process, key);
}

/* Adds a run of pages. Returns its position + 1 in t->runs; 0 means out of memory. */
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

/* Returns the index in touch_run.at of a page, for a run of this level. */
static unsigned place_in_run(uint64_t page, unsigned level)
{
	return (page >> TOUCH_ORDERS * level) % TOUCH_RUN;
}

/* Returns the last touch (page fault) of a page that is stored on this level (see TOUCH_LEVELS).
 * NULL means that there is none. */
static const struct touch *find_touch(const struct touches *t, uint32_t process, uint64_t page,
				      unsigned level)
{
	uint32_t id = run_at(t, process, run_key(page / TOUCH_RUN, level));
	const struct touch *touch = id ? &AT_ID(t->runs, id).at[place_in_run(page, level)] : NULL;

	return touch && touch->time ? touch : NULL;
}

/* Returns the entry for the touch (page fault) of a page on a level (see TOUCH_LEVELS); creates the
 * run of pages if it is missing. NULL means out of memory. */
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

/* Stores a touch (page fault) on a level (see TOUCH_LEVELS). With `keep`, the page's older touch
 * moves to the list t->past. */
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

/* Stores a touch (page fault) on the highest level whose entries are not larger than the touched
 * page. If they are smaller, the page gets several entries. */
void touches_put(struct touches *t, uint32_t process, uint64_t page, const struct touch *touch,
		 bool keep)
{
	unsigned level = touch->order / TOUCH_ORDERS, left;
	uint64_t first = page >> touch->order << touch->order;

	level = level < TOUCH_LEVELS ? level : TOUCH_LEVELS - 1;
	left = touch->order - level * TOUCH_ORDERS;
	if (left >= TOUCH_ORDERS) { /* no machine has pages as large as this */
		left = 0;
		first = page;
	}
	for (uint64_t i = 0; i < 1u << left && !t->nomem; i++)
		put_touch(t, process, first + (i << level * TOUCH_ORDERS), level, touch, keep);
	t->levels = level < t->levels ? t->levels : level + 1;
}

/* Returns the newest touch of all levels: the kernel may have split a huge page, or merged small
 * ones, between two touches, so an older touch may be on another level. */
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

int32_t touches_majority(const struct touches *t, uint32_t process, uint64_t first, uint32_t pages,
			 uint64_t since)
{
	int64_t lead = 0, on_node = 0;
	int32_t node = -1;

	/* majority vote of Boyer and Moore: the first pass finds the only node that can have the
	 * majority, the second pass counts its pages */
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

const struct touch *touches_before(const struct touches *t, const struct touch *touch,
				   uint64_t time)
{
	while (touch && touch->time > time)
		touch = touch->older ? &AT_ID(t->past, touch->older) : NULL;
	return touch;
}

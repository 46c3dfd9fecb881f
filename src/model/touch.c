/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/touch.h"

#include <string.h>

void touches_release(struct touches *t)
{
	free(t->runs.at);
	free(t->past.at);
	index_release(&t->index);
	memset(t, 0, sizeof(*t));
}

/* Each level has runs of its own: what is kept of a page is its number, which leaves bits free. */
static uint64_t run_key(uint64_t page, unsigned level)
{
	return page >> TOUCH_ORDERS * level << 2 | level;
}

static uint32_t run_at(const struct touches *t, uint32_t process, uint64_t key, uint32_t *hash)
{
	uint32_t place, id;

	*hash = place = index_hash(key, process);
	while ((id = index_next(&t->index, *hash, &place)))
		if (t->runs.at[id - 1].key == key && t->runs.at[id - 1].process == process)
			break;
	return id;
}

static unsigned place_in_run(uint64_t page, unsigned level)
{
	return (page >> TOUCH_ORDERS * level) % TOUCH_RUN;
}

static const struct touch *find(const struct touches *t, uint32_t process, uint64_t page,
				unsigned level)
{
	uint32_t hash, id = run_at(t, process, run_key(page / TOUCH_RUN, level), &hash);
	const struct touch *touch = id ? &t->runs.at[id - 1].at[place_in_run(page, level)] : NULL;

	return touch && touch->time ? touch : NULL;
}

static struct touch *make(struct touches *t, uint32_t process, uint64_t page, unsigned level)
{
	uint64_t key = run_key(page / TOUCH_RUN, level);
	uint32_t hash, id = run_at(t, process, key, &hash);

	if (!id) {
		if (!VEC_ROOM(&t->runs) || !index_add(&t->index, hash, t->runs.n + 1)) {
			t->nomem = true;
			return NULL;
		}
		memset(&t->runs.at[t->runs.n], 0, sizeof(t->runs.at[0]));
		t->runs.at[t->runs.n].key = key;
		t->runs.at[t->runs.n].process = process;
		id = ++t->runs.n;
	}
	return &t->runs.at[id - 1].at[place_in_run(page, level)];
}

static void put(struct touches *t, uint32_t process, uint64_t page, unsigned level,
		const struct touch *touch, bool keep)
{
	struct touch *to = make(t, process, page, level);
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

void touches_put(struct touches *t, uint32_t process, uint64_t page, const struct touch *touch,
		 bool keep)
{
	unsigned level = touch->order / TOUCH_ORDERS, left;
	uint64_t first = page >> touch->order << touch->order;

	level = level < TOUCH_LEVELS ? level : TOUCH_LEVELS - 1;
	left = touch->order - level * TOUCH_ORDERS;
	if (left >= TOUCH_ORDERS) { /* there are no such pages */
		left = 0;
		first = page;
	}
	for (uint64_t i = 0; i < 1u << left && !t->nomem; i++)
		put(t, process, first + (i << level * TOUCH_ORDERS), level, touch, keep);
	t->levels = level < t->levels ? t->levels : level + 1;
}

const struct touch *touches_get(const struct touches *t, uint32_t process, uint64_t page)
{
	const struct touch *last = NULL;

	for (unsigned level = 0; level < t->levels; level++) {
		const struct touch *x = find(t, process, page, level);

		if (x && (!last || x->time > last->time))
			last = x;
	}
	return last;
}

const struct touch *touches_before(const struct touches *t, const struct touch *touch,
				   uint64_t time)
{
	while (touch && touch->time > time)
		touch = touch->older ? &t->past.at[touch->older - 1] : NULL;
	return touch;
}

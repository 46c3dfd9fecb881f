/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/homes.h"

#include <string.h>

void homes_init(struct homes *h, uint64_t page_bytes)
{
	memset(h, 0, sizeof(*h));
	h->page_bytes = page_bytes ? page_bytes : 4096;
}

void homes_release(struct homes *h)
{
	for (uint32_t i = 0; i < h->maps.n; i++)
		rangemap_release(&h->maps.at[i]);
	free(h->maps.at);
	free(h->spans.at);
	free(h->nodes.at);
	free(h->touches.at);
	for (uint32_t i = 0; i < h->moves.n; i++)
		ranges_release(&h->moves.at[i]);
	free(h->moves.at);
	index_release(&h->touch_index);
	memset(h, 0, sizeof(*h));
}

static struct rangemap *map_of(struct homes *h, uint32_t process)
{
	while (h->maps.n < process) {
		if (!VEC_ROOM(&h->maps)) {
			h->nomem = true;
			return NULL;
		}
		memset(&h->maps.at[h->maps.n++], 0, sizeof(h->maps.at[0]));
	}
	return &h->maps.at[process - 1];
}

/* How many pages of a span begin before end, which is beyond its start. */
static uint32_t pages(const struct home_span *s, uint64_t end)
{
	return (uint32_t)((end - s->start - 1) / s->step + 1);
}

/* The pages of `whole` from end on become a span of their own. */
static void keep_tail(struct homes *h, struct rangemap *map, const struct home_span *whole,
		      uint64_t end)
{
	uint32_t gone = pages(whole, end), all = pages(whole, whole->end);
	struct home_span tail = *whole;

	tail.start += gone * whole->step;
	tail.nodes += gone;
	if (gone >= all)
		return;
	if (!VEC_ROOM(&h->spans) || rangemap_put(map, tail.start, h->spans.n)) {
		h->nomem = true;
		return;
	}
	h->spans.at[h->spans.n++] = tail;
	h->unused_nodes -= all - gone;
}

/* What was known of [start, end) is out of date; what was known around it is not. */
static void forget(struct homes *h, struct rangemap *map, uint64_t start, uint64_t end)
{
	struct home_span whole;
	uint64_t key;
	uint32_t at;

	if (rangemap_le(map, start, &key, &at) && key < start && h->spans.at[at].end > start) {
		whole = h->spans.at[at];
		h->spans.at[at].end = start;
		h->unused_nodes += pages(&whole, whole.end) - pages(&whole, start);
		if (whole.end > end)
			keep_tail(h, map, &whole, end);
	}
	while (rangemap_ge(map, start, &key, &at) && key < end) {
		whole = h->spans.at[at];
		rangemap_del(map, key, NULL);
		h->unused_nodes += pages(&whole, whole.end);
		if (whole.end > end)
			keep_tail(h, map, &whole, end);
	}
}

/* Moves the spans of a map, and their nodes, to fresh arrays that have room for them. */
static void move_spans(struct homes *h, struct rangemap *map, struct home_span *spans,
		       uint32_t *nspans, int16_t *nodes, uint32_t *nnodes)
{
	uint64_t key = 0;
	uint32_t at;

	while (rangemap_ge(map, key, &key, &at)) {
		struct home_span s = h->spans.at[at];
		uint32_t n = pages(&s, s.end);

		memcpy(nodes + *nnodes, h->nodes.at + s.nodes, n * sizeof(*nodes));
		s.nodes = *nnodes;
		*nnodes += n;
		rangemap_put(map, key, *nspans); /* the key is there: no memory needed */
		spans[(*nspans)++] = s;
		if (key++ == UINT64_MAX)
			break;
	}
}

/* Gives back what no span names any more, where that is most of it. */
static void compact(struct homes *h)
{
	uint32_t nspans = 0, nnodes = 0, cap = h->nodes.n - h->unused_nodes;
	struct home_span *spans;
	int16_t *nodes;
	size_t live = 0;

	if (h->unused_nodes < 1 << 16 || h->unused_nodes < h->nodes.n / 2)
		return;
	for (uint32_t i = 0; i < h->maps.n; i++)
		live += h->maps.at[i].count;
	spans = reallocarray(NULL, live + 1, sizeof(*spans));
	nodes = reallocarray(NULL, (size_t)cap + 1, sizeof(*nodes));
	if (!spans || !nodes) {
		free(spans);
		free(nodes);
		return;
	}
	for (uint32_t i = 0; i < h->maps.n; i++)
		move_spans(h, &h->maps.at[i], spans, &nspans, nodes, &nnodes);
	free(h->spans.at);
	free(h->nodes.at);
	h->spans.at = spans;
	h->spans.n = h->spans.cap = nspans;
	h->nodes.at = nodes;
	h->nodes.n = h->nodes.cap = nnodes;
	h->unused_nodes = 0;
}

/* Room for count nodes, NULL when out of memory; the span of an equal range is used again. */
static struct home_span *span_for(struct homes *h, struct rangemap *map, uint64_t start,
				  uint64_t step, uint32_t count)
{
	uint64_t end = start + step * count;
	uint32_t at;

	if (rangemap_get(map, start, &at) && h->spans.at[at].end == end &&
	    h->spans.at[at].step == step)
		return &h->spans.at[at];
	forget(h, map, start, end);
	compact(h);
	if (!VEC_ROOM(&h->spans) || rangemap_put(map, start, h->spans.n))
		return NULL;
	h->spans.at[h->spans.n] =
		(struct home_span){ .start = start, .end = end, .step = step, .nodes = h->nodes.n };
	for (uint32_t i = 0; i < count; i++) {
		if (!VEC_ROOM(&h->nodes))
			return NULL;
		h->nodes.at[h->nodes.n++] = -1;
	}
	return &h->spans.at[h->spans.n++];
}

void homes_look(struct homes *h, uint32_t process, uint64_t start, uint64_t step,
		const int32_t *nodes, uint32_t count, uint64_t time)
{
	struct rangemap *map = map_of(h, process);
	struct home_span *s;

	if (!map || !count || !step || step > (UINT64_MAX - start) / count)
		return;
	s = span_for(h, map, start, step, count);
	if (!s) {
		h->nomem = true;
		return;
	}
	s->time = time;
	for (uint32_t i = 0; i < count; i++)
		h->nodes.at[s->nodes + i] =
			nodes[i] >= 0 && nodes[i] < INT16_MAX ? (int16_t)nodes[i] : -1;
}

static uint32_t touch_find(const struct homes *h, uint32_t process, uint64_t page)
{
	uint32_t hash = index_hash(page, process), place = hash, id;

	while ((id = index_next(&h->touch_index, hash, &place)))
		if (h->touches.at[id - 1].page == page && h->touches.at[id - 1].process == process)
			break;
	return id;
}

bool homes_touch(struct homes *h, uint32_t process, uint64_t address, uint64_t birth, int32_t node,
		 uint64_t time)
{
	uint64_t page = address / h->page_bytes;
	uint32_t id = touch_find(h, process, page);
	struct home_touch t = { .page = page, .time = time, .process = process, .node = node };

	if (id) {
		if (h->touches.at[id - 1].time >= birth)
			return false;
		h->touches.at[id - 1] = t;
		return true;
	}
	if (!VEC_ROOM(&h->touches) ||
	    !index_add(&h->touch_index, index_hash(page, process), h->touches.n + 1)) {
		h->nomem = true;
		return true;
	}
	h->touches.at[h->touches.n++] = t;
	return true;
}

void homes_move(struct homes *h, uint32_t process, uint64_t start, uint64_t end, uint64_t time)
{
	struct rangemap *map = process ? map_of(h, process) : NULL;

	if (!map || end <= start)
		return;
	forget(h, map, start, end);
	while (h->moves.n < process) {
		if (!VEC_ROOM(&h->moves)) {
			h->nomem = true;
			return;
		}
		memset(&h->moves.at[h->moves.n++], 0, sizeof(h->moves.at[0]));
	}
	if (!ranges_set(&h->moves.at[process - 1], start, end, time))
		h->nomem = true;
}

/* The look that covers an address, NULL where there is none. */
static const struct home_span *look_of(const struct homes *h, uint32_t process, uint64_t address,
				       uint64_t birth)
{
	const struct home_span *s;
	uint32_t at;

	if (!process || process > h->maps.n ||
	    !rangemap_le(&h->maps.at[process - 1], address, NULL, &at))
		return NULL;
	s = &h->spans.at[at];
	return address < s->end && s->time >= birth ? s : NULL;
}

/* The first touch of the page of an address, NULL where it is not known or out of date. */
static const struct home_touch *touch_of(const struct homes *h, uint32_t process, uint64_t address,
					 uint64_t birth)
{
	uint32_t id = touch_find(h, process, address / h->page_bytes);
	const struct home_touch *t = id ? &h->touches.at[id - 1] : NULL;

	if (!t || t->time < birth || t->node < 0)
		return NULL;
	if (process && process <= h->moves.n &&
	    ranges_get(&h->moves.at[process - 1], address) > t->time)
		return NULL;
	return t;
}

int32_t homes_by_look(const struct homes *h, uint32_t process, uint64_t address, uint64_t birth)
{
	const struct home_span *s = look_of(h, process, address, birth);

	return s ? h->nodes.at[s->nodes + (uint32_t)((address - s->start) / s->step)] : -1;
}

int32_t homes_by_touch(const struct homes *h, uint32_t process, uint64_t address, uint64_t birth)
{
	const struct home_touch *t = touch_of(h, process, address, birth);

	return t ? t->node : -1;
}

/* The asked page that stands for an address: the one at or in front of it, or the one behind where
 * that is not there. Returns its node, -1 where neither is there. */
static int32_t stand_in(const struct homes *h, const struct home_span *s, uint64_t address,
			uint64_t *asked)
{
	uint64_t i = (address - s->start) / s->step;
	int32_t node = h->nodes.at[s->nodes + i];

	*asked = s->start + i * s->step;
	if (node >= 0 || address - *asked < h->page_bytes || s->end - *asked <= s->step)
		return node;
	*asked += s->step;
	return h->nodes.at[s->nodes + i + 1];
}

int32_t homes_find(const struct homes *h, uint32_t process, uint64_t address, uint64_t birth,
		   bool *looked)
{
	const struct home_span *s = look_of(h, process, address, birth);
	const struct home_touch *t, *neighbour;
	int32_t node = -1;
	uint64_t asked = 0;

	if (s)
		node = stand_in(h, s, address, &asked);
	*looked = node >= 0;
	if (node >= 0 && address - asked < h->page_bytes)
		return node;
	t = touch_of(h, process, address, birth);
	if (!t)
		return node;
	if (node >= 0 && t->time < s->time) {
		neighbour = touch_of(h, process, asked, birth);
		if (neighbour && neighbour->node != node)
			return node;
	}
	*looked = false;
	return t->node;
}

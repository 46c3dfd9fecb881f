/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/look.h"

#include <string.h>

enum { RUN = 8 };

void looks_release(struct looks *l)
{
	for (uint32_t i = 0; i < l->maps.n; i++)
		rangemap_release(&l->maps.at[i]);
	free(l->maps.at);
	free(l->spans.at);
	free(l->nodes.at);
	memset(l, 0, sizeof(*l));
}

/* Returns the element of l->maps for a process. The first call creates it. NULL means out of
 * memory. */
static struct rangemap *map_of(struct looks *l, uint32_t process)
{
	while (l->maps.n < process) {
		if (!VEC_ROOM(&l->maps)) {
			l->nomem = true;
			return NULL;
		}
		memset(&l->maps.at[l->maps.n++], 0, sizeof(l->maps.at[0]));
	}
	return &AT_ID(l->maps, process);
}

/* Returns the number of pages in a span that begin before `end`, which must be after s->start. */
static uint32_t span_pages(const struct look_span *s, uint64_t end)
{
	return (uint32_t)((end - s->start - 1) / s->step + 1);
}

/* Stores the pages of `span` from `end` on as a new span: the caller is removing the pages before
 * `end`. */
static void keep_tail(struct looks *l, struct rangemap *map, const struct look_span *span,
		      uint64_t end)
{
	uint32_t gone = span_pages(span, end), all = span_pages(span, span->end);
	struct look_span tail = *span;

	tail.start += gone * span->step;
	tail.nodes += gone;
	if (gone >= all)
		return;
	if (!VEC_ROOM(&l->spans) || rangemap_put(map, tail.start, l->spans.n)) {
		l->nomem = true;
		return;
	}
	l->spans.at[l->spans.n++] = tail;
	l->unused_nodes -= all - gone;
}

/* Removes the nodes of the pages in [start, end). If a span is only partly in this range, its parts
 * outside remain. */
static void forget_range(struct looks *l, struct rangemap *map, uint64_t start, uint64_t end)
{
	struct look_span span;
	uint64_t key;
	uint32_t at;

	if (rangemap_le(map, start, &key, &at) && key < start && l->spans.at[at].end > start) {
		span = l->spans.at[at];
		l->spans.at[at].end = start;
		l->unused_nodes += span_pages(&span, span.end) - span_pages(&span, start);
		if (span.end > end)
			keep_tail(l, map, &span, end);
	}
	while (rangemap_ge(map, start, &key, &at) && key < end) {
		span = l->spans.at[at];
		rangemap_del(map, key, NULL);
		l->unused_nodes += span_pages(&span, span.end);
		if (span.end > end)
			keep_tail(l, map, &span, end);
	}
}

/* Copies the spans of one process, and their nodes, to the end of the new arrays, and makes the map
 * refer to the copies. The new arrays must be large enough; *nspans and *nnodes are the numbers of
 * their elements so far. */
static void move_spans(struct looks *l, struct rangemap *map, struct look_span *spans,
		       uint32_t *nspans, int16_t *nodes, uint32_t *nnodes)
{
	uint64_t key = 0;
	uint32_t at;

	while (rangemap_ge(map, key, &key, &at)) {
		struct look_span s = l->spans.at[at];
		uint32_t n = span_pages(&s, s.end);

		memcpy(nodes + *nnodes, l->nodes.at + s.nodes, n * sizeof(*nodes));
		s.nodes = *nnodes;
		*nnodes += n;
		/* the key is in the map already, so replacing its value needs no memory */
		rangemap_put(map, key, *nspans);
		spans[(*nspans)++] = s;
		if (key++ == UINT64_MAX)
			break;
	}
}

/* If most elements of l->nodes no longer belong to a span, copies the others to smaller arrays. */
static void compact_nodes(struct looks *l)
{
	uint32_t nspans = 0, nnodes = 0, cap = l->nodes.n - l->unused_nodes;
	struct look_span *spans;
	int16_t *nodes;
	size_t live = 0;

	if (l->unused_nodes < 1 << 16 || l->unused_nodes < l->nodes.n / 2)
		return;
	for (uint32_t i = 0; i < l->maps.n; i++)
		live += rangemap_count(&l->maps.at[i]);
	spans = reallocarray(NULL, live + 1, sizeof(*spans));
	nodes = reallocarray(NULL, (size_t)cap + 1, sizeof(*nodes));
	if (!spans || !nodes) {
		free(spans);
		free(nodes);
		return;
	}
	for (uint32_t i = 0; i < l->maps.n; i++)
		move_spans(l, &l->maps.at[i], spans, &nspans, nodes, &nnodes);
	free(l->spans.at);
	free(l->nodes.at);
	l->spans.at = spans;
	l->spans.n = l->spans.cap = nspans;
	l->nodes.at = nodes;
	l->nodes.n = l->nodes.cap = nnodes;
	l->unused_nodes = 0;
}

/* Returns the span of the map with this range and step. If there is none, removes what the map has
 * stored for this range, and adds a span with room for `count` nodes. NULL means out of memory. */
static struct look_span *span_for(struct looks *l, struct rangemap *map, uint64_t start,
				  uint64_t end, uint64_t step, uint32_t count)
{
	uint32_t at;

	if (rangemap_get(map, start, &at) && l->spans.at[at].end == end &&
	    l->spans.at[at].step == step)
		return &l->spans.at[at];
	forget_range(l, map, start, end);
	compact_nodes(l);
	if (!VEC_ROOM(&l->spans) || rangemap_put(map, start, l->spans.n))
		return NULL;
	l->spans.at[l->spans.n] =
		(struct look_span){ .start = start, .end = end, .step = step, .nodes = l->nodes.n };
	for (uint32_t i = 0; i < count; i++) {
		if (!VEC_ROOM(&l->nodes))
			return NULL;
		l->nodes.at[l->nodes.n++] = -1;
	}
	return &l->spans.at[l->spans.n++];
}

/* Returns the node of the page with index i; -1 if the kernel returned an error or an impossible
 * number for it. */
static int16_t node_asked(const struct look_asked *a, uint64_t i)
{
	return a->nodes[i] >= 0 && a->nodes[i] < INT16_MAX ? (int16_t)a->nodes[i] : -1;
}

/* Returns the index in a->nodes of the first page at or after `address`; a->count if there is none.
 */
static uint64_t asked_from(const struct look_asked *a, uint64_t address)
{
	uint64_t i = address > a->start ? (address - a->start - 1) / a->step + 1 : 0;

	return i < a->count ? i : a->count;
}

/* Stores as a span those pages of look `a` (a query of the nodes of pages) that are in [from, to).
 */
static void put_part(struct looks *l, struct rangemap *map, const struct look_asked *a,
		     uint64_t from, uint64_t to)
{
	uint64_t first = asked_from(a, from), end = asked_from(a, to);
	struct look_span *s;

	if (first >= end)
		return;
	s = span_for(l, map, a->start + first * a->step, to, a->step, (uint32_t)(end - first));
	if (!s) {
		l->nomem = true;
		return;
	}
	s->time = a->time;
	for (uint64_t i = first; i < end; i++)
		l->nodes.at[s->nodes + i - first] = node_asked(a, i);
}

/* Does the look `a` (a query of the nodes of pages) show the same nodes as `finer`, an earlier look
 * with a smaller step, for all pages that are in both? */
static bool looks_agree(const struct looks *l, const struct look_span *finer,
			const struct look_asked *a)
{
	for (uint64_t i = asked_from(a, finer->start); i < asked_from(a, finer->end); i++) {
		uint64_t offset = a->start + i * a->step - finer->start;

		if (offset % finer->step == 0 &&
		    l->nodes.at[finer->nodes + offset / finer->step] != node_asked(a, i))
			return false;
	}
	return true;
}

/* Finds the next span between `at` and `end` that agrees with the look `a`, but comes from an
 * earlier look with a smaller step, which therefore lists more pages. (A look is a query of the
 * nodes of pages.) Returns false if there is no such span. */
static bool next_finer(const struct looks *l, const struct rangemap *map,
		       const struct look_asked *a, uint64_t at, uint64_t end, struct look_span *out)
{
	uint64_t key;
	uint32_t i;

	if (rangemap_le(map, at, NULL, &i) && l->spans.at[i].end > at)
		at = l->spans.at[i].start;
	for (; rangemap_ge(map, at, &key, &i) && key < end; at = key + 1) {
		*out = l->spans.at[i];
		if (out->step < a->step && looks_agree(l, out, a))
			return true;
	}
	return false;
}

/* Returns the end of the range that the look `a` covers; 0 if the look is empty or leaves the
 * address space. Each queried page represents the pages up to the next queried one. If the last
 * queried page is not present, it represents only the pages up to the next span in `map`, because
 * later pages may belong to another mapping. */
static uint64_t end_of(const struct rangemap *map, const struct look_asked *a)
{
	uint64_t last, end, next;

	if (!a->count || !a->step || a->step > (UINT64_MAX - a->start) / a->count)
		return 0;
	last = a->start + a->step * (a->count - 1);
	end = last + a->step;
	return node_asked(a, a->count - 1) < 0 && rangemap_ge(map, last + 1, &next, NULL) &&
			       next < end
		       ? next
		       : end;
}

/* Adds a look (a query of the nodes of pages). An older look with a smaller step is kept if it
 * agrees with the new one, because it shows the nodes of pages that the new one skipped. */
void looks_add(struct looks *l, uint32_t process, uint64_t start, uint64_t step,
	       const int32_t *nodes, uint32_t count, uint64_t time)
{
	const struct look_asked a = { start, step, time, nodes, count };
	struct rangemap *map = map_of(l, process);
	struct look_span finer;
	uint64_t end;

	if (!map)
		return;
	end = end_of(map, &a);
	while (start < end && next_finer(l, map, &a, start, end, &finer)) {
		put_part(l, map, &a, start, finer.start);
		start = finer.end;
	}
	put_part(l, map, &a, start, end);
}

void looks_forget(struct looks *l, uint32_t process, uint64_t start, uint64_t end)
{
	if (process && process <= l->maps.n && end > start)
		forget_range(l, &AT_ID(l->maps, process), start, end);
}

const struct look_span *looks_at(const struct looks *l, uint32_t process, uint64_t address)
{
	const struct look_span *s;
	uint32_t at;

	if (!process || process > l->maps.n ||
	    !rangemap_le(&AT_ID(l->maps, process), address, NULL, &at))
		return NULL;
	s = &l->spans.at[at];
	return address < s->end ? s : NULL;
}

const struct look_span *looks_from(const struct looks *l, uint32_t process, uint64_t address)
{
	const struct look_span *s = looks_at(l, process, address);
	uint32_t at;

	if (s || !process || process > l->maps.n ||
	    !rangemap_ge(&AT_ID(l->maps, process), address, NULL, &at))
		return s;
	return &l->spans.at[at];
}

/* Counts the listed pages that follow index i in direction `step` (1 or -1) and are on this node,
 * up to RUN of them. Page i itself is not counted. Pages that are not present are skipped. Sets
 * *ended if another node ends the run.
 */
static unsigned run_of(const int16_t *nodes, uint32_t n, uint32_t i, int step, int32_t node,
		       bool *ended)
{
	unsigned count = 0;

	for (i += (uint32_t)step; i < n && count < RUN; i += (uint32_t)step) {
		if (nodes[i] < 0)
			continue;
		if (nodes[i] != node) {
			*ended = true;
			break;
		}
		count++;
	}
	return count;
}

/* Returns the node of the skipped pages that the page with index i represents; -1 means unknown. If
 * page i is not present, or if the look (a query of the nodes of pages) lists no other page,
 * returns nodes[i]. Otherwise returns nodes[i] only if both of these are true:
 *   - the next listed page, if there is one and it is present, is on the same node
 *   - page i is in a run of at least RUN present listed pages on this node; or the look lists no
 *     other node, and lists at least two present pages
 * In a shorter run, pages may be interleaved: listed pages are an odd number of pages apart
 * (track_homes_step()), so if every fourth page is on another node, every fourth listed page is,
 * too. */
static int32_t skipped_node(const int16_t *nodes, uint32_t i, uint32_t n)
{
	bool ended = false;
	unsigned run;

	if (n == 1 || nodes[i] < 0)
		return nodes[i];
	if (i + 1 < n && nodes[i + 1] >= 0 && nodes[i + 1] != nodes[i])
		return -1;
	run = 1 + run_of(nodes, n, i, 1, nodes[i], &ended) +
	      run_of(nodes, n, i, -1, nodes[i], &ended);
	return run >= RUN || (run > 1 && !ended) ? nodes[i] : -1;
}

int32_t looks_node(const struct looks *l, const struct look_span *s, uint64_t address,
		   uint64_t page_bytes, uint64_t *asked)
{
	const int16_t *nodes = &l->nodes.at[s->nodes];
	uint32_t n = span_pages(s, s->end), i = (uint32_t)((address - s->start) / s->step);
	uint64_t page = address / page_bytes * page_bytes;

	*asked = s->start + i * s->step;
	if (*asked >= page)
		return nodes[i];
	if (i + 1 < n && *asked + s->step < page + page_bytes) {
		*asked += s->step;
		return nodes[i + 1];
	}
	if (nodes[i] < 0 && i + 1 < n) {
		*asked += s->step;
		i++;
	}
	return skipped_node(nodes, i, n);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the pages that have moved to another node since they were last seen. A look (a query of the
 * nodes of pages) shows that; but it lists only every n-th page of a large range, and pages that it
 * skips may have moved, too. A listed page that is present stands for the skipped pages on both
 * sides, up to the next listed page that is present.
 *
 * What must stay true: if all pages of a range were known and have moved before a look that lists
 * one of them, no page of the range keeps its former node, neither in rows written since then
 * (h->changed is called for it) nor in later answers. Calls of h->changed for one look report
 * ranges that do not overlap.
 */
#include "model/internal.h"

/* What is known about a page that a look lists. */
struct listed {
	/* the last time at which the page was known to be on another node than in this look;
	 * UINT64_MAX means that it was not, or that it is absent now */
	uint64_t elsewhere;
	/* indexes of the listed pages before (or this page itself) and after this one that are
	 * present; the count of listed pages if there is none */
	uint32_t before, after;
};

/* A look that is compared with what was known before. */
struct compared {
	struct homes *h;
	uint32_t process;
	const struct look_asked *look;
	const struct listed *listed; /* as many as the look lists pages */
};

static uint64_t address_of(const struct look_asked *a, uint32_t i)
{
	return a->start + i * a->step;
}

/* Returns the last time at which the page was known to be on a node other than `node`; UINT64_MAX
 * means that it was not known to be on another node. */
static uint64_t elsewhere_until(const struct homes *h, uint32_t process, uint64_t address,
				int32_t node)
{
	const struct home before = homes_find(h, process, address, 0);

	return node >= 0 && before.node >= 0 && before.node != node ? before.confirmed : UINT64_MAX;
}

/* Returns what is known about the listed pages before the look is added, one element for each, as a
 * malloc'ed array; NULL means out of memory. */
static struct listed *find_listed(const struct homes *h, uint32_t process,
				  const struct look_asked *a)
{
	struct listed *l = calloc(a->count, sizeof(*l));

	for (uint32_t i = 0, before = a->count; l && i < a->count; i++) {
		before = a->nodes[i] >= 0 ? i : before;
		l[i].before = before;
		l[i].elsewhere = elsewhere_until(h, process, address_of(a, i), a->nodes[i]);
	}
	for (uint32_t i = a->count, after = a->count; l && i-- > 0;) {
		l[i].after = after;
		after = a->nodes[i] >= 0 ? i : after;
	}
	return l;
}

/* Returns where the pages begin that no look shows before the first page of this look. The follower
 * asks for the first page of a mapping in a look of its own, at the same time, and that look may
 * leave pages between the two. */
static uint64_t gap_before(const struct compared *c)
{
	const struct look_asked *a = c->look;
	const struct look_span *s;
	uint64_t at = a->start > a->step ? a->start - a->step : 0;

	for (; (s = looks_from(&c->h->looks, c->process, at)) && s->start < a->start; at = s->end)
		if (s->time == a->time && s->end < a->start && a->start - s->start < a->step)
			return s->end;
	return a->start;
}

/* Reports that the pages in [from, to) have moved. */
static void report(const struct compared *c, uint64_t from, uint64_t to, uint64_t since)
{
	c->h->changed(c->h->arg, c->process, from, to, since);
	homes_left(c->h, c->process, from, to, c->look->time);
}

/* Reports the listed pages that were on a different node before, each with the skipped pages that
 * it stands for. */
static void report_all_listed(const struct compared *c)
{
	const struct look_asked *a = c->look;
	const bool skips = a->step > c->h->page_bytes;
	uint64_t from = gap_before(c);

	for (uint32_t i = 0; i < a->count; i++) {
		const bool moved = c->listed[i].elsewhere < UINT64_MAX;
		const uint64_t at = address_of(a, i), next = at + a->step;
		const uint64_t to = skips ? address_of(a, c->listed[i].after) : next;

		if (moved)
			report(c, skips ? from : at, to, c->listed[i].elsewhere);
		if (a->nodes[i] >= 0)
			from = moved ? to : next;
	}
}

/* Reports a page that this look skips, if it was on a different node than the listed pages before
 * and after it are now. A listed page that has moved was reported with all pages that it stands
 * for: those up to the next present one, and before it those for which no other listed page
 * stands. */
static void report_skipped(const struct compared *c, uint64_t page)
{
	const struct look_asked *a = c->look;
	const uint32_t i = (uint32_t)((page - a->start) / a->step);
	const uint32_t before = c->listed[i].before, after = c->listed[i].after;
	uint64_t since = UINT64_MAX;

	if (before < a->count) {
		since = elsewhere_until(c->h, c->process, page, a->nodes[before]);
		if (since == UINT64_MAX || c->listed[before].elsewhere < UINT64_MAX)
			return;
	}
	if (after < a->count) {
		since = elsewhere_until(c->h, c->process, page, a->nodes[after]);
		if (before != i && c->listed[after].elsewhere < UINT64_MAX)
			return;
	}
	if (since == UINT64_MAX)
		return;
	report(c, page, page + c->h->page_bytes, since);
}

/* Calls report_skipped() for the skipped pages that earlier looks listed. Leaves out looks with
 * smaller steps, because looks_add() keeps these if they agree, and looks at the same pages. Leaves
 * out the pages after the last listed one, which may belong to another mapping. */
static void report_all_skipped(const struct compared *c)
{
	const struct look_asked *a = c->look;
	const uint64_t end = address_of(a, a->count - 1);
	const struct look_span *found;

	for (uint64_t at = a->start;
	     (found = looks_from(&c->h->looks, c->process, at)) && found->start < end;) {
		const struct look_span s = *found; /* report_skipped() may forget a part of it */
		uint64_t page = s.start;

		at = s.end;
		if (s.step < a->step ||
		    (s.step % a->step == 0 && s.start % a->step == a->start % a->step))
			continue;
		if (page < a->start)
			page += (a->start - page + s.step - 1) / s.step * s.step;
		for (; page < s.end && page < end; page += s.step)
			if ((page - a->start) % a->step)
				report_skipped(c, page);
	}
}

/* Reports the pages of a look. If the look skipped pages and only some of the listed pages have
 * moved, any of the skipped pages may have moved, too. Then everything that was known about the
 * pages becomes invalid, and they are reported once, as one range. */
static void report_all(const struct compared *c)
{
	const struct look_asked *a = c->look;
	const uint64_t from = gap_before(c), to = address_of(a, a->count);
	uint64_t since = UINT64_MAX;
	bool stayed = false;

	for (uint32_t i = 0; i < a->count; i++) {
		const uint64_t until = c->listed[i].elsewhere;

		since = until < since ? until : since;
		stayed |= until == UINT64_MAX && a->nodes[i] >= 0;
	}
	if (since < UINT64_MAX && stayed && a->step > c->h->page_bytes) {
		report(c, from, to, since);
		return;
	}
	report_all_listed(c);
	report_all_skipped(c);
}

void homes_compare(struct homes *h, uint32_t process, const struct look_asked *a)
{
	struct compared c = { .h = h, .process = process, .look = a };
	struct listed *listed;

	if (!a->count || !a->step || a->step > UINT64_MAX / a->count ||
	    a->start > UINT64_MAX - a->step * a->count)
		return; /* looks_add() ignores it, too */
	listed = find_listed(h, process, a);
	c.listed = listed;
	if (listed)
		report_all(&c);
	else
		h->nomem = true;
	free(listed);
}

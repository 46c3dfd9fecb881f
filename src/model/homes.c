/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * On which node a page is, at the present time of the merge.
 *
 * The newest evidence counts. It comes from touches (page faults: exact in time, the node follows
 * from the policy or the physical address), from looks (a question to the kernel: the node is
 * exact, but only at moments and for some pages of a range), and from calls that move or drop pages
 * (they end what was known before).
 *
 * Each kind of evidence is kept in a structure that fits it: touches in runs of pages, looks in
 * spans with a step, calls as ranges with the time of the last one. A question combines them;
 * nothing is computed in advance. Children of a fork see the pages of their parent until they write
 * to them, so a question may follow the forks backward.
 *
 * What must stay true: calls arrive in the order of time, and evidence that is older than the birth
 * of what lives at an address does not count.
 */
#include "model/homes.h"

#include <string.h>

#include "model/internal.h"

enum {
	GENERATIONS = 64, /* limit: how many forks back a page is searched */
	REMAPS = 64,      /* limit: how many mremap() calls a page is followed back */
};

/* A page size of 0 means 4 KiB. */
void homes_init(struct homes *h, uint64_t page_bytes)
{
	memset(h, 0, sizeof(*h));
	h->page_bytes = page_bytes ? page_bytes : 4096;
}

/* NULL is fine. */
static void process_free(struct homes_process *p)
{
	if (!p)
		return;
	ranges_release(&p->moves);
	ranges_release(&p->drops);
	ranges_release(&p->frees);
	ranges_release(&p->sizes);
	ranges_release(&p->resized);
	ranges_release(&p->came);
	ranges_release(&p->went);
	free(p);
}

/* Leaves *h empty. */
void homes_release(struct homes *h)
{
	for (uint32_t i = 0; i < h->processes.n; i++)
		process_free(h->processes.at[i]);
	free(h->processes.at);
	free(h->forks.at);
	free(h->remaps.at);
	looks_release(&h->looks);
	touches_release(&h->touches);
	memset(h, 0, sizeof(*h));
}

/* All parts report here. */
bool homes_nomem(const struct homes *h)
{
	return h->nomem || h->looks.nomem || h->touches.nomem;
}

/* NULL when out of memory, or for process 0. */
static struct homes_process *make_process(struct homes *h, uint32_t process)
{
	struct homes_process **p;

	while (h->processes.n < process) {
		if (!VEC_ROOM(&h->processes)) {
			h->nomem = true;
			return NULL;
		}
		h->processes.at[h->processes.n++] = NULL;
	}
	p = process ? &AT_ID(h->processes, process) : NULL;
	if (p && !*p)
		*p = calloc(1, sizeof(**p));
	h->nomem |= p && !*p;
	return p ? *p : NULL;
}

/* Reports pages that a look found on another node than the known one, including unlooked pages that
 * the looked-at page stands for. */
static void compare_look(const struct homes *h, uint32_t process, uint64_t start, uint64_t end,
			 int32_t node)
{
	const struct home before = homes_find(h, process, start, 0);

	if (node >= 0 && before.node >= 0 && before.node != node)
		h->changed(h->arg, process, start, end, before.confirmed);
}

/* The answers of one question, as far as the kernel gave them; see homes.h. */
void homes_look(struct homes *h, uint32_t process, uint64_t start, uint64_t step,
		const int32_t *nodes, uint32_t count, uint64_t time)
{
	for (uint32_t i = 0; h->changed && i < count; i++)
		compare_look(h, process, start + i * step, start + (i + 1) * step, nodes[i]);
	looks_add(&h->looks, process, start, step, nodes, count, time);
}

/* Start of the lifetime of the page that was at address at time as_of, as far as is known. */
static uint64_t begin_of(const struct homes *h, uint32_t process, uint64_t address, uint64_t birth,
			 uint64_t as_of)
{
	const struct homes_process *p = homes_process(h, process);
	uint64_t drop = p ? ranges_get(&p->drops, address) : 0;

	return drop > birth && drop <= as_of ? drop : birth;
}

/* The mremap() that brought the page that was at address at time as_of; NULL: it was placed there
 * by a touch. */
static const struct homes_remap *remap_of(const struct homes *h, uint32_t process, uint64_t address,
					  uint64_t birth, uint64_t as_of)
{
	const struct homes_process *p = homes_process(h, process);
	uint64_t at = p ? ranges_get(&p->came, address) : 0;
	const struct homes_remap *r = at ? &AT_ID(h->remaps, at) : NULL;

	if (!r || r->time < birth || r->time > as_of)
		return NULL;
	return begin_of(h, process, address, 0, as_of) <= r->began ? r : NULL;
}

/* The touch of a page that got its address by mremap(), found at its former address. t: the last
 * touch of the present address. */
static const struct touch *remapped_touch(const struct homes *h, uint32_t process, uint64_t address,
					  uint64_t birth, const struct touch *t)
{
	uint64_t as_of = UINT64_MAX;

	for (int i = 0; i < REMAPS; i++) {
		const struct homes_remap *r = remap_of(h, process, address, birth, as_of);

		if (!r || (t && t->time > r->began))
			return NULL;
		address -= r->to - r->from;
		birth = r->birth;
		as_of = r->began;
		t = touches_get(&h->touches, process, homes_page(h, address));
		t = touches_before(&h->touches, t, as_of);
		if (t && t->time >= begin_of(h, process, address, birth, as_of))
			return ranges_get(&homes_process(h, process)->moves, address) > t->time
				       ? NULL
				       : t;
	}
	return NULL;
}

/* NULL: no touch that still holds. mremap() moves pages together with their touches. */
const struct touch *homes_own_touch(const struct homes *h, uint32_t process, uint64_t address,
				    uint64_t page, uint64_t birth)
{
	const struct touch *t = touches_get(&h->touches, process, page);

	if (t && t->time >= begin_of(h, process, address, birth, UINT64_MAX))
		return t;
	return h->remaps.n ? remapped_touch(h, process, address, birth, t) : NULL;
}

/* Touches stay valid as times of birth, but their node is unknown now. */
void homes_move(struct homes *h, uint32_t process, uint64_t start, uint64_t end, uint64_t time)
{
	struct homes_process *p = make_process(h, process);

	looks_forget(&h->looks, process, start, end);
	if (p && !ranges_set(&p->moves, start, end, time))
		h->nomem = true;
}

/* The pages are gone: the next touch makes new ones. */
void homes_drop(struct homes *h, uint32_t process, uint64_t start, uint64_t end, uint64_t time)
{
	struct homes_process *p = make_process(h, process);

	looks_forget(&h->looks, process, start, end);
	if (p && !ranges_set(&p->drops, start, end, time))
		h->nomem = true;
}

/* The kernel may take the pages, or not: both are possible from now on. */
void homes_free(struct homes *h, uint32_t process, uint64_t start, uint64_t end, uint64_t time)
{
	struct homes_process *p = make_process(h, process);

	if (p && !ranges_set(&p->frees, start, end, time))
		h->nomem = true;
}

/* The kernel moves the pages while the call runs; nothing is known about the moment. */
void homes_remap(struct homes *h, uint32_t process, const struct homes_remap *r)
{
	struct homes_process *p = make_process(h, process);

	if (!p)
		return;
	homes_drop(h, process, r->to, r->to + r->bytes, r->began);
	if (!VEC_ROOM(&h->remaps) ||
	    !ranges_set(&p->came, r->to, r->to + r->bytes, h->remaps.n + 1) ||
	    !ranges_set(&p->went, r->from, r->from + r->bytes, r->began)) {
		h->nomem = true;
		return;
	}
	h->remaps.at[h->remaps.n++] = *r;
}

/* 0: unknown from now on. */
void homes_size(struct homes *h, uint32_t process, uint64_t start, uint64_t end,
		uint64_t page_bytes)
{
	struct homes_process *p = make_process(h, process);

	if (p && !ranges_set(&p->sizes, start, end, page_bytes))
		h->nomem = true;
}

/* Call together with homes_size(). */
void homes_resize(struct homes *h, uint32_t process, uint64_t start, uint64_t end, uint64_t time)
{
	struct homes_process *p = make_process(h, process);

	if (p && !ranges_set(&p->resized, start, end, time))
		h->nomem = true;
}

/* The kernel's background thread works until then; only rising times count. */
void homes_collapsing(struct homes *h, uint32_t process, uint64_t until)
{
	struct homes_process *p = make_process(h, process);

	if (p && p->collapsing < until)
		p->collapsing = until;
}

/* The child's pages are its parent's. Memory is used only when one of them touches some. */
void homes_fork(struct homes *h, uint32_t parent, uint32_t child, uint64_t time)
{
	struct homes_process *p =
		parent && child && parent != child ? make_process(h, parent) : NULL;

	if (!p)
		return;
	while (h->forks.n < child) {
		if (!VEC_ROOM(&h->forks)) {
			h->nomem = true;
			return;
		}
		h->forks.at[h->forks.n++] = (struct homes_fork){ 0 };
	}
	p->forks = time;
	p->children++;
	AT_ID(h->forks, child) = (struct homes_fork){ time, parent };
}

/* After exec the process has new pages and no parent's. */
void homes_end(struct homes *h, uint32_t process, bool exec)
{
	struct homes_process *p = process <= h->processes.n ? AT_ID(h->processes, process) : NULL;
	uint32_t parent = homes_fork_of(h, process).parent;

	if (parent && AT_ID(h->processes, parent)->children)
		AT_ID(h->processes, parent)->children--;
	if (parent)
		AT_ID(h->forks, process) = (struct homes_fork){ 0 };
	if (!p || p->ended)
		return;
	p->forks = 0;
	p->children = 0;
	p->ended = !exec;
}

/* The touch of the page; NULL if it is not known or out of date. */
static const struct touch *touch_of(const struct homes *h, uint32_t process, uint64_t address,
				    uint64_t birth)
{
	const struct homes_process *p = homes_process(h, process);
	const struct touch *t = homes_own_touch(h, process, address, homes_page(h, address), birth);

	return t && p && ranges_get(&p->moves, address) > t->time ? NULL : t;
}

/* NULL: nobody asked since the birth. */
const struct look_span *homes_look_at(const struct homes *h, uint32_t process, uint64_t address,
				      uint64_t birth)
{
	const struct look_span *s = looks_at(&h->looks, process, address);

	return s && s->time >= birth ? s : NULL;
}

/* The touch is the newest evidence. */
static void by_touch(const struct homes *h, const struct touch *t, struct home *home)
{
	home->node = t->node;
	home->looked = false;
	home->touched = home->confirmed = t->time;
	home->chosen = (enum touch_chosen)t->chosen;
	if (t->sized)
		home->page_bytes = h->page_bytes << t->order;
}

/* True if a neighbour that was looked at, and stands for pages that were not, is no longer on the
 * node of its touch: then the kernel has moved pages since. */
static bool has_moved(const struct homes *h, uint32_t process, uint64_t asked, int32_t node,
		      uint64_t birth)
{
	const struct touch *t = touch_of(h, process, asked, birth);

	return t && t->node >= 0 && t->node != node;
}

/* Is the page that was looked at the page of this address? */
static bool is_page(const struct homes *h, const struct homes_process *p, uint64_t address,
		    uint64_t asked)
{
	uint64_t bytes = p && ranges_get(&p->resized, address) ? ranges_get(&p->sizes, address) : 0;

	bytes = bytes ? bytes : h->page_bytes;
	return address / bytes == asked / bytes;
}

/* Without what a parent's pages say. */
static struct home own_home(const struct homes *h, uint32_t process, uint64_t address,
			    uint64_t birth)
{
	const struct look_span *s = homes_look_at(h, process, address, birth);
	const struct touch *t = touch_of(h, process, address, birth);
	const struct homes_process *p = homes_process(h, process);
	struct home home = { .node = -1 };
	uint64_t asked = 0, looked = s ? s->time : 0;
	int32_t node = s ? looks_node(&h->looks, s, address, h->page_bytes, &asked) : -1;
	bool itself = s && is_page(h, p, address, asked);
	/* huge pages made by a call stand for themselves only */
	bool alone = p && ranges_get(&p->resized, address);

	if (t)
		by_touch(h, t, &home);
	else if (p && ranges_get(&p->moves, address) >= birth && ranges_get(&p->moves, address))
		home.chosen = TOUCH_CHOSEN;
	if (node >= 0 && (!t || t->time <= looked) &&
	    (itself ||
	     (!alone && (!t || t->node < 0 || has_moved(h, process, asked, node, birth))))) {
		home.node = node;
		home.looked = true;
		home.confirmed = looked;
	}
	collapse_doubt(h, process, address, birth, &home);
	return home;
}

/* What the parent's page was when the child was forked, unless the child has changed it since. */
static struct home inherited_home(const struct homes *h, uint32_t process, uint64_t address,
				  uint64_t birth)
{
	struct home none = { .node = -1 }, home = none;
	uint64_t forked = UINT64_MAX;

	for (int i = 0; i < GENERATIONS && home.node < 0; i++) {
		const struct homes_process *p = homes_process(h, process);
		const struct homes_fork f = homes_fork_of(h, process);
		const struct touch *t;

		if (!f.parent || f.time < birth ||
		    (p && (ranges_get(&p->moves, address) > f.time ||
			   ranges_get(&p->drops, address) > f.time)))
			break;
		birth = 0;
		forked = f.time < forked ? f.time : forked;
		process = f.parent;
		t = touches_get(&h->touches, process, homes_page(h, address));
		if (t && t->time > forked) { /* the parent got a page of its own since the fork */
			t = touches_before(&h->touches, t, forked);
			if (t)
				by_touch(h, t, &home);
			if (t)
				break;
			continue;
		}
		home = own_home(h, process, address, 0);
	}
	if (home.touched)
		home.touched = forked;
	return home.node < 0 ? none : home;
}

/* The process's own evidence first, then that of its ancestors. */
struct home homes_find(const struct homes *h, uint32_t process, uint64_t address, uint64_t birth)
{
	const struct homes_process *p = homes_process(h, process);
	struct home home = own_home(h, process, address, birth);

	if (!home.touched && homes_fork_of(h, process).parent) {
		const uint64_t confirmed = home.confirmed;
		int32_t node = home.node;

		home = inherited_home(h, process, address, birth);
		home.node = node >= 0 ? node : home.node;
		home.looked |= node >= 0;
		home.confirmed = node >= 0 ? confirmed : home.confirmed;
	}
	if (p && (!home.page_bytes || ranges_get(&p->resized, address) > home.touched))
		home.page_bytes = ranges_get(&p->sizes, address);
	return home;
}

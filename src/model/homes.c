/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the home of a page: the node on which the page is at the time of the current event.
 *
 * There are three kinds of evidence, and the newest counts. A touch is a page fault: its time is
 * exact, and the node follows from the policy or the physical address. A look is a query to the
 * kernel: its nodes are exact, but only for one moment and for some pages of a range. A call moves
 * or drops pages: earlier evidence about these pages no longer counts.
 *
 * Each kind of evidence has a structure of its own: touches are stored in runs of pages (touch.h),
 * looks in spans with a step (look.h), calls as ranges with the time of the last call (ranges.h). A
 * query combines the three; nothing is computed in advance. The child of a fork sees its parent's
 * pages until one of them writes, so a query may go back along the forks.
 *
 * What must stay true: events arrive in the order of time. Evidence that is older than the block or
 * mapping at the address does not count.
 */
#include "model/homes.h"

#include <string.h>

#include "model/internal.h"

enum {
	/* maximum number of ancestors of a process that are searched for a page, so that a long
	 * chain of forks cannot make a query slow */
	GENERATIONS = 64,
	REMAPS = 64, /* maximum number of mremap() calls through which a page is followed back to
		      * its former addresses */
};

void homes_init(struct homes *h, uint64_t page_bytes)
{
	memset(h, 0, sizeof(*h));
	h->page_bytes = page_bytes ? page_bytes : 4096;
}

static void process_free(struct homes_process *p)
{
	if (!p)
		return;
	ranges_release(&p->moves);
	ranges_release(&p->left);
	ranges_release(&p->drops);
	ranges_release(&p->frees);
	ranges_release(&p->sizes);
	ranges_release(&p->resized);
	ranges_release(&p->came);
	ranges_release(&p->went);
	free(p);
}

void homes_release(struct homes *h)
{
	for (uint32_t i = 0; i < h->processes.n; i++)
		process_free(h->processes.at[i]);
	free(h->processes.at);
	free(h->families.at);
	free(h->remaps.at);
	looks_release(&h->looks);
	touches_release(&h->touches);
	memset(h, 0, sizeof(*h));
}

bool homes_nomem(const struct homes *h)
{
	return h->nomem || h->looks.nomem || h->touches.nomem;
}

/* Returns the entry of a process. The first call creates the entry. Returns NULL for process 0 and
 * when out of memory. */
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

/* Adds a look (a query of the nodes of pages). First compares it with what was known before,
 * because the look replaces that knowledge. */
void homes_look(struct homes *h, uint32_t process, uint64_t start, uint64_t step,
		const int32_t *nodes, uint32_t count, uint64_t time)
{
	const struct look_asked look = { start, step, time, nodes, count };

	if (h->changed)
		homes_compare(h, process, &look);
	looks_add(&h->looks, process, start, step, nodes, count, time);
}

/* Returns the earliest time at which the page that was at `address` at time `as_of` may have been
 * created: the time of the last call that dropped the pages there between `birth` and `as_of`, or
 * `birth` if there was no such call. */
static uint64_t begin_of(const struct homes *h, uint32_t process, uint64_t address, uint64_t birth,
			 uint64_t as_of)
{
	const struct homes_process *p = homes_process(h, process);
	uint64_t drop = p ? ranges_get(&p->drops, address) : 0;

	return drop > birth && drop <= as_of ? drop : birth;
}

/* Returns the mremap() call that moved to `address` the page that was there at time `as_of`. NULL
 * means that no such call moved it there. */
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

/* Has a call moved the page since this touch, or has a look shown that it is elsewhere? */
static bool was_moved(const struct homes_process *p, uint64_t address, const struct touch *t)
{
	return ranges_get(&p->moves, address) > t->time || ranges_get(&p->left, address) > t->time;
}

/* Returns the last valid touch (page fault) of a page that mremap() moved to this address, or NULL.
 * The page's touches are stored under its former address. `t` is the last touch under the present
 * address: if it is later than the move, a different page has replaced the moved one. */
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
			return was_moved(homes_process(h, process), address, t) ? NULL : t;
	}
	return NULL;
}

/* Returns the last valid touch (page fault) of the page, even if it happened before mremap() moved
 * the page here. NULL means that none is known. */
const struct touch *homes_own_touch(const struct homes *h, uint32_t process, uint64_t address,
				    uint64_t page, uint64_t birth)
{
	const struct touch *t = touches_get(&h->touches, process, page);

	if (t && t->time >= begin_of(h, process, address, birth, UINT64_MAX))
		return t;
	return h->remaps.n ? remapped_touch(h, process, address, birth, t) : NULL;
}

/* The nodes of the pages become unknown. The times of their touches (page faults) remain valid,
 * because a moved page keeps its content. */
void homes_move(struct homes *h, uint32_t process, uint64_t start, uint64_t end, uint64_t time)
{
	struct homes_process *p = make_process(h, process);

	looks_forget(&h->looks, process, start, end);
	if (p && !ranges_set(&p->moves, start, end, time))
		h->nomem = true;
}

void homes_left(struct homes *h, uint32_t process, uint64_t start, uint64_t end, uint64_t time)
{
	struct homes_process *p = make_process(h, process);

	looks_forget(&h->looks, process, start, end);
	if (p && !ranges_set(&p->left, start, end, time))
		h->nomem = true;
}

void homes_drop(struct homes *h, uint32_t process, uint64_t start, uint64_t end, uint64_t time)
{
	struct homes_process *p = make_process(h, process);

	looks_forget(&h->looks, process, start, end);
	if (p && !ranges_set(&p->drops, start, end, time))
		h->nomem = true;
}

/* The kernel may drop these pages from `time` on (MADV_FREE), so the next fault of a page may
 * make a new one. */
void homes_free(struct homes *h, uint32_t process, uint64_t start, uint64_t end, uint64_t time)
{
	struct homes_process *p = make_process(h, process);

	if (p && !ranges_set(&p->frees, start, end, time))
		h->nomem = true;
}

/* The kernel moves the pages at an unknown moment during the call. So from the start of the call
 * on, whatever was at the new address counts as dropped, and the pages at the old address count as
 * moved away. */
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

void homes_size(struct homes *h, uint32_t process, uint64_t start, uint64_t end,
		uint64_t page_bytes)
{
	struct homes_process *p = make_process(h, process);

	if (p && !ranges_set(&p->sizes, start, end, page_bytes))
		h->nomem = true;
}

/* Must be called together with homes_size(): `time` is when that size became valid. */
void homes_resize(struct homes *h, uint32_t process, uint64_t start, uint64_t end, uint64_t time)
{
	struct homes_process *p = make_process(h, process);

	if (p && !ranges_set(&p->resized, start, end, time))
		h->nomem = true;
}

/* Notes that khugepaged (the kernel thread that makes huge pages) may be at work until this time.
 * Ignores a time earlier than the stored one. */
void homes_collapsing(struct homes *h, uint32_t process, uint64_t until)
{
	struct homes_process *p = process ? make_process(h, process) : NULL;
	uint64_t *stored = process ? (p ? &p->collapsing : NULL) : &h->collapsing;

	if (stored && *stored < until)
		*stored = until;
}

/* Stores only that the fork happened. The child's pages are found through its parent until the
 * child touches them. */
void homes_fork(struct homes *h, uint32_t parent, uint32_t child, uint64_t time)
{
	const uint32_t known = parent > child ? parent : child;

	if (!parent || !child || parent == child)
		return;
	if (!VEC_REACH(&h->families, known)) {
		h->nomem = true;
		return;
	}
	h->earlier_forks[child % HOMES_FORKS].child = child;
	h->earlier_forks[child % HOMES_FORKS].time = AT_ID(h->families, parent).last_fork;
	AT_ID(h->families, parent).last_fork = time;
	AT_ID(h->families, parent).children++;
	AT_ID(h->families, child).born = time;
	AT_ID(h->families, child).parent = parent;
}

uint64_t homes_fork_time(const struct homes *h, uint32_t process)
{
	const struct homes_family family = homes_family_of(h, process);

	return family.parent ? family.born : 0;
}

void homes_separate(struct homes *h, uint32_t process)
{
	if (process && process <= h->families.n)
		AT_ID(h->families, process).separate = 1;
}

/* If the parent has forked again meanwhile, or if many other processes have been forked, the fork
 * counts nevertheless: that is less than what could be known, but nothing wrong. */
void homes_borrowed(struct homes *h, uint32_t process)
{
	const struct homes_family family = homes_family_of(h, process);

	if (family.parent && !family.separate &&
	    h->earlier_forks[process % HOMES_FORKS].child == process &&
	    AT_ID(h->families, family.parent).last_fork == family.born)
		AT_ID(h->families, family.parent).last_fork =
			h->earlier_forks[process % HOMES_FORKS].time;
}

/* If `exec` is false, the process has exited. After an exec it has only new pages and shares none
 * with its parent. */
void homes_end(struct homes *h, uint32_t process, bool exec)
{
	const struct homes_family family = homes_family_of(h, process);

	if (family.parent && AT_ID(h->families, family.parent).children)
		AT_ID(h->families, family.parent).children--;
	if (process && process <= h->families.n)
		AT_ID(h->families, process) =
			(struct homes_family){ .ended = family.ended || !exec };
}

/* Returns the last touch (page fault) of a page; NULL if there is none, or if a later call may have
 * moved the page to another node. */
static const struct touch *touch_of(const struct homes *h, uint32_t process, uint64_t address,
				    uint64_t birth)
{
	const struct homes_process *p = homes_process(h, process);
	const struct touch *t = homes_own_touch(h, process, address, homes_page(h, address), birth);

	return t && p && ranges_get(&p->moves, address) > t->time ? NULL : t;
}

/* Returns the last look (query of the kernel) that covers the page; NULL if there is none since
 * `birth`. */
const struct look_span *homes_look_at(const struct homes *h, uint32_t process, uint64_t address,
				      uint64_t birth)
{
	const struct look_span *s = looks_at(&h->looks, process, address);

	return s && s->time >= birth ? s : NULL;
}

static void by_touch(const struct homes *h, const struct touch *t, struct home *home)
{
	home->node = t->node;
	home->looked = false;
	home->touched = home->confirmed = t->time;
	home->chosen = (enum touch_chosen)t->chosen;
	if (t->sized)
		home->page_bytes = h->page_bytes << t->order;
}

/* Has a look shown that the page is no longer where this touch put it? */
static bool has_left(const struct homes_process *p, uint64_t address, const struct touch *t)
{
	return p && ranges_get(&p->left, address) > t->time;
}

/* Has the kernel moved the page at address `asked` since its last touch? A look found the page on
 * `node`. */
static bool has_moved(const struct homes *h, uint32_t process, uint64_t asked, int32_t node,
		      uint64_t birth)
{
	const struct touch *t = touch_of(h, process, asked, birth);

	return t && t->node >= 0 && t->node != node;
}

/* Returns the page size that is used to evaluate looks: large only if MADV_COLLAPSE made the page
 * large. */
static uint64_t page_bytes_at(const struct homes *h, const struct homes_process *p,
			      uint64_t address)
{
	uint64_t bytes = p && ranges_get(&p->resized, address) ? ranges_get(&p->sizes, address) : 0;

	return bytes ? bytes : h->page_bytes;
}

/* Returns where a page is according to evidence of this process alone, without its ancestors: page
 * faults, looks (queries of the nodes of pages), and calls that move or drop pages. */
static struct home own_home(const struct homes *h, uint32_t process, uint64_t address,
			    uint64_t birth)
{
	const struct look_span *s = homes_look_at(h, process, address, birth);
	const struct touch *t = touch_of(h, process, address, birth);
	const struct homes_process *p = homes_process(h, process);
	struct home home = { .node = -1 };
	uint64_t asked = 0, looked = s ? s->time : 0;
	uint64_t bytes = page_bytes_at(h, p, address);
	int32_t node = s ? looks_node(&h->looks, s, address, bytes, &asked) : -1;
	/* whether the look queried this very page; false if it skipped the page, because it queries
	 * only some pages of a range */
	bool itself = s && address / bytes == asked / bytes;
	/*
	 * whether MADV_COLLAPSE made this page huge; then its neighbours in a look may be on other
	 * nodes
	 */
	bool alone = p && ranges_get(&p->resized, address);

	if (t)
		by_touch(h, t, &home);
	if (t && has_left(p, address, t))
		home.node = -1;
	else if (!t && p && ranges_get(&p->moves, address) >= birth &&
		 ranges_get(&p->moves, address))
		home.chosen = TOUCH_CHOSEN;
	if (node >= 0 && (!t || t->time <= looked) &&
	    (itself || (!alone && (home.node < 0 || has_moved(h, process, asked, node, birth))))) {
		home.node = node;
		home.looked = true;
		home.confirmed = looked;
	}
	collapse_doubt(h, process, address, birth, &home);
	return home;
}

/* Returns the home of the page in the parent, or in an older ancestor, at the time of the fork. The
 * node is -1 if nothing was known then, or if the page was moved, dropped or created (`birth`)
 * after the fork. */
static struct home inherited_home(const struct homes *h, uint32_t process, uint64_t address,
				  uint64_t birth)
{
	struct home none = { .node = -1 }, home = none;
	uint64_t forked = UINT64_MAX;

	for (int i = 0; i < GENERATIONS && home.node < 0; i++) {
		const struct homes_process *p = homes_process(h, process);
		const struct homes_family f = homes_family_of(h, process);
		const struct touch *t;

		if (!f.parent || f.born < birth ||
		    (p && (ranges_get(&p->moves, address) > f.born ||
			   ranges_get(&p->left, address) > f.born ||
			   ranges_get(&p->drops, address) > f.born)))
			break;
		birth = 0;
		forked = f.born < forked ? f.born : forked;
		process = f.parent;
		t = touches_get(&h->touches, process, homes_page(h, address));
		/* after the fork, the parent touched the page, so it now has a different one. Only
		 * the parent's touches (page faults) before the fork count for the child */
		if (t && t->time > forked) {
			t = touches_before(&h->touches, t, forked);
			if (!t)
				continue;
			by_touch(h, t, &home);
			if (has_left(homes_process(h, process), address, t))
				home.node = -1;
			break;
		}
		home = own_home(h, process, address, 0);
	}
	if (home.touched)
		home.touched = forked;
	return home.node < 0 ? none : home;
}

/* Prefers evidence of the process itself to evidence of its ancestors. */
struct home homes_find(const struct homes *h, uint32_t process, uint64_t address, uint64_t birth)
{
	const struct homes_process *p = homes_process(h, process);
	struct home home = own_home(h, process, address, birth);

	if (!home.touched && homes_family_of(h, process).parent) {
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

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decides which page faults place a page, and on which node. A fault is the first touch of a page,
 * unless an earlier touch (another fault) or a look (a query of the page's node) shows that the
 * page was present already.
 */
#include "model/internal.h"

/* Returns the order of a page of `bytes`. ("Order" is the kernel's term: such a page consists of
 * 2^order base pages.) */
static unsigned order_of(const struct homes *h, uint64_t bytes)
{
	return bytes > h->page_bytes ? (unsigned)__builtin_ctzll(bytes / h->page_bytes) & 31 : 0;
}

/* After a fork, parent and child share their pages. Returns true if the process of this fault
 * inherited the page and is now the only one that uses it: the parent has ended, or a later touch
 * (page fault) made a copy for the parent. */
static bool left_alone(const struct homes *h, const struct homes_fault *f)
{
	const struct homes_family family = homes_family_of(h, f->process);
	const struct touch *t;

	if (!family.parent || !homes_find(h, f->process, f->address, f->birth).touched)
		return false;
	t = touches_get(&h->touches, family.parent, homes_page(h, f->address));
	return homes_family_of(h, family.parent).ended || (t && t->time > family.born);
}

/*
 * Returns the node of a page after a fault; -1 means unknown. `before` is the earlier touch (fault)
 * of the page, or NULL. If a forked process writes to a shared page, it gets a copy, unless it is
 * the last process that uses the page. If no fork explains the fault, three causes are possible:
 * the kernel put a new page there, it migrated the page, or the page was present and only the entry
 * in the page table was missing. Then the node is known only if it is the same in all three cases.
 */
static int32_t node_after(const struct homes *h, const struct homes_fault *f,
			  const struct touch *before)
{
	int32_t node;

	if (f->exact || f->major)
		return f->node;
	if (before && homes_forked_since(h, f->process, before->time))
		return homes_family_of(h, f->process).children ? f->node : before->node;
	if (!before && !left_alone(h, f))
		return f->node;
	node = homes_find(h, f->process, f->address, f->birth).node;
	return !before || node == f->node ? node : -1;
}

/* `before` is the stored touch (an earlier fault) of the page; this fault replaces it. Returns true
 * if it must be kept for later queries: a forked child may still have the old page, or mremap() may
 * have moved that page to another address. */
static bool is_kept(const struct homes *h, const struct homes_fault *f, uint64_t page,
		    const struct touch *before)
{
	const struct homes_process *p = homes_process(h, f->process);
	const struct touch *t;
	uint64_t went;

	if (before && homes_forked_since(h, f->process, before->time))
		return true;
	went = p ? ranges_get(&p->went, f->address) : 0;
	t = went ? touches_get(&h->touches, f->process, page) : NULL;
	return t && t->time <= went;
}

/* May the allocator have returned the page to the kernel after touch t? Then this fault made a new
 * page. */
static bool was_given_back(const struct homes *h, const struct homes_fault *f,
			   const struct touch *t)
{
	const bool race = t->thread != (f->thread & 255) && f->time - t->time < HOMES_RACE_NS;

	return t->time < f->renewed && !race && !homes_forked_since(h, f->process, t->time);
}

/* Returns the touch that placed the page that was at the address before this fault; NULL means
 * that no page was known there. */
static const struct touch *touch_before(const struct homes *h, const struct homes_fault *f,
					uint64_t page)
{
	const struct homes_process *p = homes_process(h, f->process);
	const struct touch *t = homes_own_touch(h, f->process, f->address, page, f->birth);

	if (!t || was_given_back(h, f, t))
		return NULL;
	return p && ranges_get(&p->frees, f->address) > t->time ? NULL : t;
}

/* Has a look (a query of the nodes of pages) found the page of this fault present? A look that
 * found a neighbouring page proves nothing. */
static bool was_seen(const struct homes *h, const struct homes_fault *f)
{
	const struct look_span *s = homes_look_at(h, f->process, f->address, f->birth);
	uint64_t asked;

	return s && looks_node(&h->looks, s, f->address, h->page_bytes, &asked) >= 0 &&
	       f->address - asked < h->page_bytes;
}

/* Has the look *s found the page at `address` present, although no fault has placed it? */
static bool is_unexplained(const struct homes *h, const struct homes_fault *f,
			   const struct look_span *s, uint64_t address)
{
	uint64_t asked;

	return address < s->end && looks_node(&h->looks, s, address, h->page_bytes, &asked) >= 0 &&
	       !homes_own_touch(h, f->process, address, homes_page(h, address), f->birth);
}

/* May the page of a shared file have existed before this fault? System calls such as mlock() and
 * write(2) place pages without a fault. A look queries only some pages. If such a call placed one
 * of the two queried pages next to this page, it may have placed this page, too. */
static bool is_doubtful(const struct homes *h, const struct homes_fault *f)
{
	const struct look_span *s = homes_look_at(h, f->process, f->address, f->birth);
	uint64_t asked;

	if (!h->shared || f->exact || f->major || !s)
		return false;
	asked = f->address - (f->address - s->start) % s->step;
	return is_unexplained(h, f, s, asked) || is_unexplained(h, f, s, asked + s->step);
}

/* Decides what the fault was: the first touch of a page, a copy after a fork, a migration, or the
 * fault of the second of two threads that touched a page at the same time. */
bool homes_touch(struct homes *h, const struct homes_fault *f)
{
	const uint64_t page = homes_page(h, f->address);
	const struct homes_process *p = homes_process(h, f->process);
	const struct touch *before = touch_before(h, f, page);
	const bool there = f->present || before || (h->shared && was_seen(h, f));
	const uint64_t bytes = f->page_bytes ? f->page_bytes
			       : p           ? ranges_get(&p->sizes, f->address)
					     : 0;
	struct touch now = { .time = f->time,
			     .order = order_of(h, bytes) & 31u,
			     .sized = bytes != 0,
			     .chosen = f->chosen & 3u,
			     .thread = f->thread & 255 };

	if (f->reads && !before)
		return false;
	if (h->shared && there && !f->exact && !f->major)
		return false;
	/* a read places no page. If it is unknown whether the access was a read, nothing is stored,
	 * and the page's next fault decides */
	if (f->uncertain && !there)
		return true;
	if (before && !f->exact && before->thread != now.thread &&
	    f->time - before->time < HOMES_RACE_NS)
		return false;
	now.node = is_doubtful(h, f) ? -1 : (int16_t)node_after(h, f, before);
	touches_put(&h->touches, f->process, page, &now, is_kept(h, f, page, before));
	return !there;
}

/* malloc touches a block before the tracker logs its birth. Touches before the birth do not count,
 * so the time of that touch is set to the time of the birth. */
void homes_born(struct homes *h, uint32_t process, uint64_t address, uint64_t time)
{
	const uint64_t page = homes_page(h, address);
	const struct touch *t = touches_get(&h->touches, process, page);
	struct touch now;

	if (!t || t->time >= time)
		return;
	now = *t;
	now.time = time;
	touches_put(&h->touches, process, page, &now, false);
}

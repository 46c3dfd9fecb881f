/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decides which page faults place a page, and on which node. A fault is a first touch, unless
 * earlier touches or looks show that the page is present already.
 */
#include "model/internal.h"

/* Returns the order of a page size, as in the kernel: 0 is the base page. */
static unsigned order_of(const struct homes *h, uint64_t bytes)
{
	return bytes > h->page_bytes ? (unsigned)__builtin_ctzll(bytes / h->page_bytes) & 31 : 0;
}

/* Does the process no longer share this page with its parent? */
static bool left_alone(const struct homes *h, const struct homes_fault *f)
{
	const struct homes_fork fork = homes_fork_of(h, f->process);
	const struct homes_process *parent;
	const struct touch *t;

	if (!fork.parent || !homes_find(h, f->process, f->address, f->birth).touched)
		return false;
	parent = homes_process(h, fork.parent);
	t = touches_get(&h->touches, fork.parent, homes_page(h, f->address));
	return parent->ended || (t && t->time > fork.time);
}

/*
 * Returns the node of a page after a fault, -1 if unknown. before: its earlier touch, or NULL.
 * After a fork the writer gets a copy, but the only remaining user of the page keeps the page. If
 * the fault has no known reason, three things are possible: the kernel put a new page there, the
 * kernel moved the page, or this thread only had no mapping of the page yet.
 */
static int32_t node_after(const struct homes *h, const struct homes_fault *f,
			  const struct touch *before)
{
	const struct homes_process *p = homes_process(h, f->process);
	int32_t node;

	if (f->exact || f->major)
		return f->node;
	if (before && p && p->forks >= before->time)
		return p->children ? f->node : before->node;
	if (!before && !left_alone(h, f))
		return f->node;
	node = homes_find(h, f->process, f->address, f->birth).node;
	return !before || node == f->node ? node : -1;
}

/* May a later query still need the touch that this fault replaces (for a forked child, or for the
 * address to which the page moved)? */
static bool is_kept(const struct homes *h, const struct homes_fault *f, uint64_t page,
		    const struct touch *before)
{
	const struct homes_process *p = homes_process(h, f->process);
	const struct touch *t;
	uint64_t went;

	if (!p || (before && p->forks >= before->time))
		return p;
	went = ranges_get(&p->went, f->address);
	t = went ? touches_get(&h->touches, f->process, page) : NULL;
	return t && t->time <= went;
}

/* May the fault be there only because the allocator returned the page to the kernel? */
static bool was_given_back(const struct homes *h, const struct homes_fault *f,
			   const struct touch *t)
{
	const struct homes_process *p = homes_process(h, f->process);
	const bool race = t->thread != (f->thread & 255) && f->time - t->time < HOMES_RACE_NS;

	return t->time < f->renewed && !race && !(p && p->forks >= t->time);
}

/* Returns the touch of the page that is present before the fault. NULL means no such page is known.
 */
static const struct touch *touch_before(const struct homes *h, const struct homes_fault *f,
					uint64_t page)
{
	const struct homes_process *p = homes_process(h, f->process);
	const struct touch *t = homes_own_touch(h, f->process, f->address, page, f->birth);

	if (!t || was_given_back(h, f, t))
		return NULL;
	return p && ranges_get(&p->frees, f->address) > t->time ? NULL : t;
}

/* Has a look found exactly this page present (not only a neighbour)? */
static bool was_seen(const struct homes *h, const struct homes_fault *f)
{
	const struct look_span *s = homes_look_at(h, f->process, f->address, f->birth);
	uint64_t asked;

	return s && looks_node(&h->looks, s, f->address, h->page_bytes, &asked) >= 0 &&
	       f->address - asked < h->page_bytes;
}

/* Handles a page fault; see homes.h. A fault can mean a first touch, a copy after fork, a
 * migration, or that a second thread touched the page a moment too late. */
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
	if (f->uncertain && !there) /* the next fault will show whether this was a read */
		return true;
	if (before && !f->exact && before->thread != now.thread &&
	    f->time - before->time < HOMES_RACE_NS)
		return false;
	now.node = (int16_t)node_after(h, f, before);
	touches_put(&h->touches, f->process, page, &now, is_kept(h, f, page, before));
	return !there;
}

/* Moves the time of the page's last touch to the birth, if the touch is older. */
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

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Handles small pages that the kernel merges into a huge page ("collapses"), because of
 * madvise(MADV_COLLAPSE) or in its thread khugepaged. The kernel puts the huge page on the node
 * that has most of the small pages (find_target_node() in mm/khugepaged.c). Not all nodes of small
 * pages are known. So the node is predicted only if more than half of all small pages are known to
 * be on one node.
 */
#include "model/internal.h"

/* Limit on the number of huge pages made by madvise(), in all processes together. At this limit,
 * pages of 2 MiB fill 2 TiB, more than most machines have. */
enum { COLLAPSED_MOST = 1 << 20 };

/* Returns the size of a huge page. A page table fills one page with entries of 8 bytes, so it maps
 * page_bytes / 8 small pages. A huge page replaces all of them. */
static uint64_t huge_bytes(const struct homes *h)
{
	return h->page_bytes * (h->page_bytes / 8);
}

/* Returns the earliest time at which the page at `address` can have been placed on its current
 * node: the time of the last call that dropped or moved the pages there, or of the last look that
 * showed that they had moved, or `birth` if that is later. Touches (page faults) before that time
 * do not show its current node. p is NULL if nothing of the kind was reported. */
static uint64_t valid_since(const struct homes_process *p, uint64_t address, uint64_t birth)
{
	const uint64_t drop = p ? ranges_get(&p->drops, address) : 0,
		       move = p ? ranges_get(&p->moves, address) : 0,
		       left = p ? ranges_get(&p->left, address) : 0;

	birth = drop > birth ? drop : birth;
	birth = left > birth ? left : birth;
	return move > birth ? move : birth;
}

/* Returns the node on which more than half of all small pages in the range of a huge page are known
 * to be; -1 if there is no such node. Touches (page faults) before `since` do not count. */
static int32_t majority_node(const struct homes *h, uint32_t process, uint64_t range,
			     uint64_t since)
{
	const uint64_t pages = huge_bytes(h) / h->page_bytes;

	return touches_majority(&h->touches, process, range / h->page_bytes, (uint32_t)pages,
				since);
}

/* Was the page already huge, because of madvise(), when it was seen at `time`? p is NULL if no call
 * was reported. */
static bool is_huge_since(const struct homes *h, const struct homes_process *p, uint64_t address,
			  uint64_t time)
{
	const uint64_t resized = p ? ranges_get(&p->resized, address) : 0;

	return resized && time >= resized && ranges_get(&p->sizes, address) >= huge_bytes(h);
}

/* Corrects *home, the predicted node of a page. khugepaged may have merged the page with its
 * neighbours since it was last seen and put the huge page on another node. If so, the size of the
 * page becomes unknown. Its node becomes unknown, too, unless most of the small pages were on that
 * node: then the huge page is there. */
void collapse_doubt(const struct homes *h, uint32_t process, uint64_t address, uint64_t birth,
		    struct home *home)
{
	const struct homes_process *p =
		process && process <= h->processes.n ? AT_ID(h->processes, process) : NULL;
	const uint64_t until = p && p->collapsing > h->collapsing ? p->collapsing : h->collapsing;

	if (!home->confirmed || home->confirmed >= until || home->page_bytes >= huge_bytes(h) ||
	    is_huge_since(h, p, address, home->confirmed))
		return;
	home->page_bytes = 0;
	if (home->node !=
	    majority_node(h, process, address & -huge_bytes(h), valid_since(p, address, birth)))
		home->node = -1;
}

/* Stores the node of the new huge page at `start`: the node on which most of its small pages were
 * known to be, or unknown. The caller stores the size of the page. */
static void collapse_range(struct homes *h, uint32_t process, uint64_t start, uint64_t time)
{
	const uint64_t bytes = huge_bytes(h);
	int32_t node = majority_node(h, process, start,
				     valid_since(AT_ID(h->processes, process), start, 0));

	homes_move(h, process, start, start + bytes, time);
	if (node >= 0)
		homes_look(h, process, start, bytes, &node, 1, time);
}

/* Only ranges that begin at a multiple of a huge page's size and have that size become huge pages,
 * so small pages at the ends of [start, end) may remain small. The number of iterations is limited,
 * because a damaged log may contain a range of arbitrary size. */
void homes_collapse(struct homes *h, uint32_t process, uint64_t start, uint64_t end, uint64_t time,
		    bool done)
{
	const uint64_t bytes = huge_bytes(h), room = UINT64_MAX - bytes;
	uint64_t from = start > room ? start : (start + bytes - 1) & -bytes, to = end & -bytes;

	if (from >= to)
		return;
	done = done && (to - from) / bytes <= COLLAPSED_MOST - h->collapsed;
	homes_size(h, process, from, to, done ? bytes : 0);
	homes_resize(h, process, from, to, time);
	if (h->nomem)
		return;
	if (!done)
		homes_move(h, process, from, to, time);
	for (uint64_t at = from; done && at < to && !h->nomem; at += bytes)
		collapse_range(h, process, at, time);
	h->collapsed += done ? (uint32_t)((to - from) / bytes) : 0;
}

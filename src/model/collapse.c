/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Handles small pages that become a huge page, by madvise(MADV_COLLAPSE) or by the kernel's
 * khugepaged. The kernel puts the huge page on the node that has most of the small pages
 * (find_target_node() in mm/khugepaged.c). So its node is known only if one node has more than half
 * of the small pages whose node is known.
 */
#include "model/internal.h"

/* Limit on huge pages made by calls, over all processes: 2 TiB of 2 MiB pages. */
enum { COLLAPSED_MOST = 1 << 20 };

/* Returns the size of a huge page. A page table has entries of 8 bytes, so a huge page has
 * page_bytes / 8 small pages. */
static uint64_t huge_bytes(const struct homes *h)
{
	return h->page_bytes * (h->page_bytes / 8);
}

/* Returns the time from which touches of the page at an address are valid. Earlier touches concern
 * a previous page or place. */
static uint64_t valid_since(const struct homes_process *p, uint64_t address, uint64_t birth)
{
	const uint64_t drop = ranges_get(&p->drops, address), move = ranges_get(&p->moves, address);

	birth = drop > birth ? drop : birth;
	return move > birth ? move : birth;
}

/* Returns the node with more than half of the known pages of a huge page's range. -1: there is
 * none. */
static int32_t majority_node(const struct homes *h, uint32_t process, uint64_t range,
			     uint64_t since)
{
	const uint64_t pages = huge_bytes(h) / h->page_bytes;

	return touches_majority(&h->touches, process, range / h->page_bytes, (uint32_t)pages,
				since);
}

/* Clears what khugepaged may have changed. It may have merged the page with its neighbours since
 * the page was last seen. Then the known node is kept only if most neighbours are on it too. */
void collapse_doubt(const struct homes *h, uint32_t process, uint64_t address, uint64_t birth,
		    struct home *home)
{
	const struct homes_process *p =
		process && process <= h->processes.n ? AT_ID(h->processes, process) : NULL;

	if (!p || !home->confirmed || home->confirmed >= p->collapsing ||
	    home->page_bytes >= huge_bytes(h))
		return;
	home->page_bytes = 0;
	if (home->node !=
	    majority_node(h, process, address & -huge_bytes(h), valid_since(p, address, birth)))
		home->node = -1;
}

/* Records that all pages of one range are now one huge page. */
static void collapse_range(struct homes *h, uint32_t process, uint64_t start, uint64_t time)
{
	const uint64_t bytes = huge_bytes(h);
	int32_t node = majority_node(h, process, start,
				     valid_since(AT_ID(h->processes, process), start, 0));

	homes_move(h, process, start, start + bytes, time);
	if (node >= 0)
		homes_look(h, process, start, bytes, &node, 1, time);
}

/* Huge pages begin at multiples of their size, so parts of the range that do not fill a huge page
 * stay unchanged. The number of steps is limited, because the range comes from the log and may be
 * huge. */
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

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Small pages that become a huge one: by madvise(MADV_COLLAPSE), or by the kernel's khugepaged. The
 * kernel puts it on the node that has most of them (find_target_node() in mm/khugepaged.c), so it
 * is told only where more than half of the range is known to be on one node.
 */
#include "model/internal.h"

/* Huge pages that calls are believed to have made, of all processes together: 2 TiB of 2 MiB. */
enum { COLLAPSED_MOST = 1 << 20 };

/* A page table maps as many pages as it has entries of 8 bytes. */
static uint64_t huge_bytes(const struct homes *h)
{
	return h->page_bytes * (h->page_bytes / 8);
}

/* Since when touches of the page at an address are about the page that is there now. */
static uint64_t valid_since(const struct homes_process *p, uint64_t address, uint64_t birth)
{
	const uint64_t drop = ranges_get(&p->drops, address), move = ranges_get(&p->moves, address);

	birth = drop > birth ? drop : birth;
	return move > birth ? move : birth;
}

static int32_t majority(const struct homes *h, uint32_t process, uint64_t range, uint64_t since)
{
	const uint64_t pages = huge_bytes(h) / h->page_bytes;

	return touches_majority(&h->touches, process, range / h->page_bytes, (uint32_t)pages,
				since);
}

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
	    majority(h, process, address & -huge_bytes(h), valid_since(p, address, birth)))
		home->node = -1;
}

/* All pages of one range are a huge page now. */
static void collapsed(struct homes *h, uint32_t process, uint64_t start, uint64_t time)
{
	const uint64_t bytes = huge_bytes(h);
	int32_t node =
		majority(h, process, start, valid_since(AT_ID(h->processes, process), start, 0));

	homes_move(h, process, start, start + bytes, time);
	if (node >= 0)
		homes_look(h, process, start, bytes, &node, 1, time);
}

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
		collapsed(h, process, at, time);
	h->collapsed += done ? (uint32_t)((to - from) / bytes) : 0;
}

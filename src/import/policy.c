/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Policy calls, as far as they change where pages are put, have them moved or give them back. */
#include <numaif.h>
#include <sys/mman.h>

#include "import/pipeline.h"

#define MOVES (MPOL_MF_MOVE | MPOL_MF_MOVE_ALL)

/* The process that migrate_pages() and move_pages() are about. */
static uint32_t subject(struct import *im, uint32_t caller, const struct tl_event *e)
{
	return e->subject ? space_process_of(&im->space, e->subject, false, e->time) : caller;
}

void policy_call(struct import *im, uint32_t process, uint32_t thread, const struct tl_event *e)
{
	struct policy policy = policy_make(e->policy.mode, e->policy.nodes,
					   e->policy.nodes ? e->policy.nwords : 0);
	uint64_t end = e->address + e->size;

	if (e->result || end < e->address)
		return;
	switch (e->function) {
	case TL_FN_SET_MEMPOLICY:
		policies_thread(&im->policies, thread, &policy);
		break;
	case TL_FN_MBIND:
		policies_bind(&im->policies, process, e->address, end, &policy);
		if (e->policy.flags & MOVES)
			homes_move(&im->homes, process, e->address, end, e->time);
		break;
	case TL_FN_MIGRATE_PAGES:
		homes_move(&im->homes, subject(im, process, e), 0, UINT64_MAX, e->time);
		break;
	case TL_FN_MOVE_PAGES:
		homes_move(&im->homes, subject(im, process, e), e->address, end, e->time);
		break;
	case TL_FN_MADVISE:
		if (e->policy.mode == MADV_DONTNEED || e->policy.mode == MADV_REMOVE)
			homes_drop(&im->homes, process, e->address, end, e->time);
		break;
	default:
		break;
	}
}

struct placement policy_placement(struct import *im, uint32_t process, uint32_t thread,
				  const struct policy_page *page)
{
	struct policy_page near = *page;
	struct placement put;

	near.cpu_node = topology_memory_of(&im->topology, page->cpu_node);
	put = policies_place(&im->policies, process, thread, &near);
	if (!topology_has(&im->topology, put.node))
		put.node = -1; /* a policy may name nodes that the machine does not have */
	return put;
}

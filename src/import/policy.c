/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Applies to the model the calls that decide where pages are placed, move pages, or return them to
 * the kernel: the calls of the NUMA API, such as mbind(), and madvise(). */
#include "import/policy.h"

#include <numaif.h>
#include <sys/mman.h>

#include "import/page_owner.h"
#include "import/pipeline.h"

#define MOVES (MPOL_MF_MOVE | MPOL_MF_MOVE_ALL)
#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25 /* since Linux 6.1; older headers lack it */
#endif

/* Passes to the model the facts on which policies depend: the nodes with memory that the program
 * may use, and how this version of the kernel interleaves pages. */
void policies_know(struct import *im)
{
	const struct pd_features *f = pd_features(im->in.perf);

	im->model.policies.interleave =
		policy_interleave(f->osrelease ? f->osrelease : im->in.recording.kernel);
	for (uint32_t i = 0; i < im->model.topology.nodes.n; i++) {
		const struct topology_node *n = &im->model.topology.nodes.at[i];

		if (n->mem_total_bytes && n->id < POLICY_WORDS * 64 && !n->forbidden)
			im->model.policies.allowed[n->id / 64] |= 1ull << n->id % 64;
	}
}

uint32_t policy_subject(struct import *im, uint32_t caller, const struct tl_event *e)
{
	return e->subject ? space_process_of(&im->model.space, e->subject, false, e->time) : caller;
}

/* Sets the policy of a part of an mbind() call's range. A policy of private memory belongs to the
 * process, a policy of shared memory to the file. */
static void on_mbind(struct import *im, uint32_t process, const struct pages *p,
		     const struct tl_event *e)
{
	const struct policy policy = policy_make(e->policy.mode, e->policy.nodes,
						 e->policy.nodes ? e->policy.nwords : 0);

	if (!p->file)
		policies_bind(&im->model.policies, process, p->to, p->to + p->bytes, &policy);
	/* the kernel ignores the mapping's policy for a file on disk: the policy of the thread that
	 * reads a page decides */
	else if (p->file->memory)
		policies_bind_file(&im->model.policies, p->owner, p->to, p->to + p->bytes, &policy);
}

/* Applies madvise() to a part of its range. If the call returns pages to the kernel, their home
 * nodes become unknown. If it makes huge pages, the model gets their new size (homes_collapse()).
 */
static void on_madvise(const struct pages *p, const struct tl_event *e)
{
	const uint64_t end = p->to + p->bytes;

	switch (e->policy.mode) {
	/* in shared memory this call only drops the process's page table entries; the pages stay on
	 * their nodes */
	case MADV_DONTNEED:
		if (!p->file)
			homes_drop(p->homes, p->owner, p->to, end, e->time);
		break;
	case MADV_REMOVE:
		homes_drop(p->homes, p->owner, p->to, end, e->time);
		break;
	case MADV_FREE:
		homes_free(p->homes, p->owner, p->to, end, e->time);
		break;
	case MADV_COLLAPSE:
		homes_collapse(p->homes, p->owner, p->to, end, e->time, !e->result);
		break;
	}
}

/* Applies a call to one part of its range; *p is that part, which has one owner (page_owner.h). */
static void on_pages(struct import *im, uint32_t process, const struct pages *p,
		     const struct tl_event *e)
{
	if (e->function == TL_FN_MADVISE) {
		on_madvise(p, e);
		return;
	}
	if (e->function == TL_FN_MBIND)
		on_mbind(im, process, p, e);
	if (e->function != TL_FN_MBIND || e->policy.flags & MOVES)
		homes_move(p->homes, p->owner, p->to, p->to + p->bytes, e->time);
}

/* Applies a call of the program. A failed call has changed nothing and is ignored, except for
 * MADV_COLLAPSE. */
void policy_call(struct import *im, uint32_t process, uint32_t thread, const struct tl_event *e)
{
	const bool all = e->function == TL_FN_MIGRATE_PAGES;
	uint64_t at = all ? 0 : e->address, end = all ? UINT64_MAX : e->address + e->size;
	struct policy policy;
	struct pages p;

	/* a failed MADV_COLLAPSE may have made some huge pages before it failed */
	if (end < at ||
	    (e->result && (e->function != TL_FN_MADVISE || e->policy.mode != MADV_COLLAPSE)))
		return;
	switch (e->function) {
	case TL_FN_SET_MEMPOLICY:
		policy = policy_make(e->policy.mode, e->policy.nodes,
				     e->policy.nodes ? e->policy.nwords : 0);
		policies_thread(&im->model.policies, thread, &policy);
		return;
	case TL_FN_MIGRATE_PAGES:
	case TL_FN_MOVE_PAGES:
		process = policy_subject(im, process, e);
		break;
	default:
		break;
	}
	while (process && pages_next(im, process, &at, end, &p))
		on_pages(im, process, &p, e);
}

/* If the CPU's node has no memory, the nearest node with memory takes its place, as in the kernel.
 */
struct placement policy_placement(struct import *im, uint32_t process, uint32_t thread,
				  const struct policy_page *page)
{
	struct policy_page near = *page;
	struct placement put;

	near.cpu_node = topology_memory_of(&im->model.topology, page->cpu_node);
	put = policies_place(&im->model.policies, process, thread, &near);
	if (!topology_has(&im->model.topology, put.node))
		put.node = -1; /* a policy may name nodes that do not exist */
	return put;
}

/* MPOL_F_STATIC_NODES, MPOL_F_RELATIVE_NODES, MPOL_F_NUMA_BALANCING */
#define MODE_FLAGS (7 << 13)

/* Returns the name of a policy's mode; NULL for a mode of later kernels. */
static const char *mode_name(int mode)
{
	switch (mode) {
	case MPOL_DEFAULT:
		return "default";
	case MPOL_PREFERRED:
		return "preferred";
	case MPOL_BIND:
		return "bind";
	case MPOL_INTERLEAVE:
		return "interleave";
	case MPOL_LOCAL:
		return "local";
	case 5: /* MPOL_PREFERRED_MANY, Linux 5.15 */
		return "preferred many";
	case 6: /* MPOL_WEIGHTED_INTERLEAVE, Linux 6.9 */
		return "weighted interleave";
	default:
		return NULL;
	}
}

/* Returns the name of an advice for madvise(); NULL for any other advice. */
static const char *advice_name(int advice)
{
	switch (advice) {
	case MADV_NORMAL:
		return "normal";
	case MADV_RANDOM:
		return "random";
	case MADV_SEQUENTIAL:
		return "sequential";
	case MADV_WILLNEED:
		return "willneed";
	case MADV_DONTNEED:
		return "dontneed";
	case MADV_FREE:
		return "free";
	case MADV_HUGEPAGE:
		return "hugepage";
	case MADV_NOHUGEPAGE:
		return "nohugepage";
	case MADV_COLLAPSE:
		return "collapse";
	default:
		return NULL;
	}
}

const char *policy_mode_name(const struct tl_event *e)
{
	return e->function == TL_FN_MADVISE ? advice_name(e->policy.mode)
					    : mode_name(e->policy.mode & ~MODE_FLAGS);
}

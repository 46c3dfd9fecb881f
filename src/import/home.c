/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the page of an address lives and who placed it; what page faults tell of it. */
#include <sys/mman.h>

#include "database/memory.h"
#include "import/pipeline.h"

static enum touch_chosen chosen(const struct import *im, const struct placement *p, uint32_t thread)
{
	static const enum touch_chosen by_thread[] = { TOUCH_BY_CHANCE, TOUCH_CHOSEN };
	enum affinity affinity = affinities_get(&im->affinities, thread);

	if (p->named)
		return TOUCH_CHOSEN;
	return affinity == AFFINITY_UNKNOWN ? TOUCH_CHOICE_UNKNOWN : by_thread[affinity];
}

static bool is_shared(struct import *im, const struct access *a)
{
	const struct mapping *m = space_mapping_at(&im->space, a->process, a->address);

	return m && m->has_prot && (m->flags & MAP_TYPE) == MAP_SHARED;
}

static struct placement placement(struct import *im, const struct access *a, bool shared)
{
	const struct policy_page page = { .address = a->address,
					  .bytes = a->page_bytes,
					  .cpu_node = a->cpu_node,
					  .shared = shared };

	if (im->single_node >= 0) /* there is no choice */
		return (struct placement){ .node = im->single_node };
	return policy_placement(im, a->process, a->thread, &page);
}

static int32_t physical_node(const struct import *im, const struct access *a)
{
	return a->physical ? topology_node_of_physical(&im->topology, a->physical) : -1;
}

bool home_fault(struct import *im, const struct access *a, const struct place *p)
{
	struct placement put;
	bool shared;
	struct homes_fault f = {
		.process = a->process,
		.thread = a->thread,
		.address = a->address,
		.time = a->time,
		.page_bytes = a->page_bytes,
		.node = physical_node(im, a),
	};

	if (!a->process)
		return false;
	shared = (im->single_node < 0 || a->opcode == MEMORY_LOAD) && is_shared(im, a);
	put = placement(im, a, shared);
	f.birth = objects_page_birth(&im->objects, a->process, a->address, p);
	f.exact = f.node >= 0;
	f.node = f.exact ? f.node : put.node;
	f.chosen = chosen(im, &put, a->thread);
	/* A read of private memory that nobody has written shows a page of zeros, or of a file,
	 * that many share. A shared mapping gets a page of its own by a read too. */
	f.reads = a->opcode == MEMORY_LOAD && !shared;
	return homes_touch(&im->homes, &f);
}

/* On a machine of one node there is nothing to look up, unless its pages differ in size. */
static bool is_wanted(const struct import *im, const struct access *a)
{
	return a->process && (im->single_node < 0 || im->homes.touches.levels > 1);
}

/* Where there is one node, no page is left to chance. */
static int32_t pinned(const struct import *im, enum touch_chosen c)
{
	if (im->single_node >= 0)
		return 1;
	return c == TOUCH_CHOICE_UNKNOWN ? -1 : c == TOUCH_CHOSEN;
}

void home_find(struct import *im, const struct access *a, const struct place *p, struct page *out)
{
	int32_t physical = physical_node(im, a);
	struct home home = { .node = -1 };

	*out = (struct page){ .pinned = pinned(im, TOUCH_CHOICE_UNKNOWN), .reused = -1 };
	if (is_wanted(im, a)) {
		uint64_t birth = objects_page_birth(&im->objects, a->process, a->address, p);

		home = homes_find(&im->homes, a->process, a->address, birth);
		out->pinned = pinned(im, home.chosen);
		if (home.touched && p->allocation)
			out->reused = home.touched < p->birth;
	}
	out->bytes = a->page_bytes ? a->page_bytes : home.page_bytes;
	out->node = im->single_node >= 0 ? im->single_node : physical >= 0 ? physical : home.node;
	out->source = im->single_node >= 0 ? HOME_SINGLE
		      : physical >= 0      ? HOME_PHYS
		      : home.node < 0      ? HOME_UNKNOWN
		      : home.looked        ? HOME_PAGE
					   : HOME_FIRST_TOUCH;
}

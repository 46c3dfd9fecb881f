/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Helpers of the tests of homes (the nodes of pages), test_homes*.c. */
#ifndef MEMDB_TEST_HOMES_FIXTURE_H
#define MEMDB_TEST_HOMES_FIXTURE_H

#include "model/homes.h"

#include "check_main.h"

/* Returns a page fault of thread 1. The fault does not report the page's node (all other fields are
 * 0), so the memory policy decides it. */
static inline struct homes_fault fault(uint32_t process, uint64_t address, uint64_t birth,
				       int32_t node, uint64_t time)
{
	return (struct homes_fault){ .process = process,
				     .thread = 1,
				     .address = address,
				     .birth = birth,
				     .node = node,
				     .time = time };
}

static inline bool touch(struct homes *h, uint32_t process, uint64_t address, uint64_t birth,
			 int32_t node, uint64_t time)
{
	struct homes_fault f = fault(process, address, birth, node, time);

	return homes_touch(h, &f);
}

static inline int32_t node_of(const struct homes *h, uint32_t process, uint64_t address,
			      uint64_t birth)
{
	return homes_find(h, process, address, birth).node;
}

static inline bool is_looked(const struct homes *h, uint32_t process, uint64_t address,
			     uint64_t birth)
{
	return homes_find(h, process, address, birth).looked;
}

/* Reports to the model that process 1 moved two pages from address `from` to address `to` with
 * mremap(). */
static inline void remap(struct homes *h, uint64_t from, uint64_t to, uint64_t birth, uint64_t time)
{
	struct homes_remap r = { from, to, 0x2000, birth, time - 1, time };

	homes_remap(h, 1, &r);
}

enum { SMALL = 4096, LARGE = SMALL * (SMALL / 8), IN_LARGE = LARGE / SMALL };

/* Touches the first `all` small pages in the range of one huge page, which begins at 4 * LARGE. The
 * first of_0 of these pages are then on node 0, the others on node 1. */
static inline void touch_range(struct homes *h, uint32_t of_0, uint32_t all)
{
	for (uint32_t i = 0; i < all; i++) {
		struct homes_fault f = fault(1, 4ull * LARGE + i * SMALL, 0, i >= of_0, 10);

		f.page_bytes = SMALL;
		homes_touch(h, &f);
	}
}

struct change {
	unsigned calls;
	uint32_t process;
	uint64_t start, end, since;
};

static inline void note_change(void *arg, uint32_t process, uint64_t start, uint64_t end,
			       uint64_t since)
{
	struct change *c = arg;

	c->calls++;
	c->process = process;
	c->start = start;
	c->end = end;
	c->since = since;
}

#endif

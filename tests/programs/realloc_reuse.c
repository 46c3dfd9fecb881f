/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two blocks at one address, one after the other. realloc moves `first` away, and `second` gets
 * its old address. A sample at this address belongs to the block that was alive at the time.
 */
#include <malloc.h>

#include "work.h"

enum { COUNT = 1 << 20, MOVED = 4 << 20 };

NOINLINE static uint64_t *make_first(void)
{
	return must_have(malloc(COUNT * sizeof(uint64_t)));
}

NOINLINE static uint64_t *grow_first(uint64_t *p)
{
	return must_have(realloc(p, MOVED * sizeof(uint64_t)));
}

NOINLINE static uint64_t *make_second(void)
{
	return must_have(malloc(COUNT * sizeof(uint64_t)));
}

int main(int argc, char **argv)
{
	int64_t budget = work_ns(argc, argv, 0.6);
	uint64_t *first, *second;
	uintptr_t before;
	void *guard;

	/* makes malloc take all blocks from the heap: there the next allocation gets a freed
	 * address, and `guard`, after the first block, prevents it from growing in place */
	mallopt(M_MMAP_THRESHOLD, 1 << 30);
	first = make_first();
	guard = must_have(malloc(64));
	before = (uintptr_t)first;
	work_on("first", first, COUNT, budget);
	first = grow_first(first);
	work_on("moved", first, MOVED, budget);
	second = make_second();
	work_on("second", second, COUNT, budget);
	tell_value("moved", (uintptr_t)first != before);
	tell_value("reused", (uintptr_t)second == before);
	free(guard);
	free(second);
	free(first);
	return 0;
}

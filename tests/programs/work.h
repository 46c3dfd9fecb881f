/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Work on one array: reads and writes at random, for a given CPU time of the calling thread. What
 * it spends is spent in work_on(), and nowhere but in the array.
 */
#ifndef MEMDB_TESTS_WORK_H
#define MEMDB_TESTS_WORK_H

#include "answer.h"

static inline size_t next_at(size_t at, size_t count)
{
	return (at * 5 + 12345) & (count - 1); /* full period: all elements */
}

/* Goes through the array once in an order that defeats the prefetchers. count is a power of two, at
 * least 4. Four at a time, each with an index of its own: the address of an access is still there
 * when the next one is computed, and where the loop ends a sample has none next to it. */
NOINLINE static void work_pass(uint64_t *array, size_t count)
{
	size_t a, b, c, d = 0;

	for (size_t i = 0; i < count; i += 4) {
		a = next_at(d, count);
		array[a] += i;
		b = next_at(a, count);
		array[b] += i;
		c = next_at(b, count);
		array[c] += i;
		d = next_at(c, count);
		array[d] += i;
		__asm__ volatile("" : : "r"(a), "r"(b), "r"(c), "r"(d)); /* one register each */
	}
}

/* Tells the array with the time span in which only this thread worked on it. */
static inline void work_on(const char *name, uint64_t *array, size_t count, int64_t budget_ns)
{
	int64_t start = now_ns(), end = cpu_ns() + budget_ns;

	while (cpu_ns() < end)
		work_pass(array, count);
	tell_array(name, array, count * sizeof(*array), gettid_now(), start, now_ns());
}

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Work on one array: reads and writes at random, for a given CPU time of the calling thread. What
 * it spends is spent in work_on(), and nowhere but in the array.
 */
#ifndef MEMDB_TESTS_WORK_H
#define MEMDB_TESTS_WORK_H

#include "answer.h"

/* Goes through the array once in an order that defeats the prefetchers. count is a power of two. */
NOINLINE static void work_pass(uint64_t *array, size_t count)
{
	size_t at = 0;

	for (size_t i = 0; i < count; i++) {
		at = (at * 5 + 12345) & (count - 1); /* full period: all elements */
		array[at] += i;
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

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Work on one array: random reads and writes for a given CPU time of the calling thread. All of
 * this time is spent in work_on() and its accesses to the array.
 */
#ifndef MEMDB_TESTS_WORK_H
#define MEMDB_TESTS_WORK_H

#include "answer.h"

static inline size_t next_at(size_t at, size_t count)
{
	/* count is a power of two, so this sequence reaches all elements before it repeats */
	return (at * 5 + 12345) & (count - 1);
}

/* Passes through the array once, in an order that defeats the prefetchers. count is a power of
 * two and at least 4. The loop is unrolled four times, each with an index of its own. So the
 * address of one access is still in its register when the next one is computed, and few samples
 * are at the loop's end, where no access is near. */
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
		/* keeps each index in a register of its own */
		__asm__ volatile("" : : "r"(a), "r"(b), "r"(c), "r"(d));
	}
}

/* Works on the array for budget_ns of CPU time, and prints it with the time span in which only this
 * thread worked on it. */
static inline void work_on(const char *name, uint64_t *array, size_t count, int64_t budget_ns)
{
	int64_t start = now_ns(), end = cpu_ns() + budget_ns;

	while (cpu_ns() < end)
		work_pass(array, count);
	tell_array(name, array, count * sizeof(*array), gettid_now(), start, now_ns());
}

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Measures how many addresses the timer sampler finds. gather_loop() accesses only four arrays
 * and the stack: `values` is read at random, `index` and `sums` are accessed sequentially, and
 * `weights` is static and small.
 *
 * gather [SECONDS [THREADS]]
 */
#include <pthread.h>

#include "answer.h"

enum { COUNT = 8 << 20, WEIGHTS = 1 << 16, MAX_THREADS = 16 };

static double weights[WEIGHTS];
static double *values, *sums;
static long *indices;
static int64_t budget_ns;
static long threads = 1;

NOINLINE static void gather_loop(size_t from, size_t to)
{
	for (size_t i = from; i < to; i++)
		sums[i] += values[indices[i]] * 2 + weights[i % WEIGHTS];
}

static void *worker(void *arg)
{
	size_t part = COUNT / (size_t)threads;
	size_t from = (size_t)(intptr_t)arg * part;
	int64_t end = cpu_ns() + budget_ns;

	while (cpu_ns() < end)
		gather_loop(from, from + part);
	return NULL;
}

static void make_arrays(void)
{
	uint64_t state = 1;

	values = must_have(malloc(COUNT * sizeof(*values)));
	sums = must_have(malloc(COUNT * sizeof(*sums)));
	indices = must_have(malloc(COUNT * sizeof(*indices)));
	for (size_t i = 0; i < COUNT; i++) {
		values[i] = (double)i;
		sums[i] = 0;
		indices[i] = (long)(next_random(&state) % COUNT);
	}
}

int main(int argc, char **argv)
{
	pthread_t ids[MAX_THREADS];
	int64_t start;

	budget_ns = work_ns(argc, argv, 1.5);
	if (argc > 2)
		threads = atol(argv[2]);
	if (threads < 1 || threads > MAX_THREADS)
		return 2;
	make_arrays();
	start = now_ns();
	for (long t = 1; t < threads; t++)
		if (pthread_create(&ids[t], NULL, worker, (void *)(intptr_t)t))
			return 2;
	worker(NULL);
	for (long t = 1; t < threads; t++)
		pthread_join(ids[t], NULL);
	tell_array("values", values, COUNT * sizeof(*values), 0, start, now_ns());
	tell_array("sums", sums, COUNT * sizeof(*sums), 0, start, now_ns());
	tell_array("index", indices, COUNT * sizeof(*indices), 0, start, now_ns());
	tell_array("weights", weights, sizeof(weights), 0, start, now_ns());
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One of three arrays is hot: `gather` is read at random, `index` and `out` are accessed
 * sequentially, so nearly all waiting is for `gather`. The program is built in several ways:
 * position-independent and not, stripped, and unoptimised.
 *
 * hot [SECONDS [THREADS]]
 */
#include <pthread.h>

#include "answer.h"

enum { COUNT = 8 << 20, MAX_THREADS = 16 };

static double *gather, *out;
static uint32_t *idx;
static int64_t budget_ns;
static long threads = 1;

NOINLINE static double *make_gather(void)
{
	return must_have(malloc(COUNT * sizeof(double)));
}

NOINLINE static uint32_t *make_index(void)
{
	return must_have(malloc(COUNT * sizeof(uint32_t)));
}

NOINLINE static double *make_out(void)
{
	return must_have(malloc(COUNT * sizeof(double)));
}

/* Accesses elements [from, to) of the arrays. The loop is unrolled four times, because samples at
 * its end, where no memory access is near, get no address; unrolling makes them rare. */
NOINLINE static void hot_loop(size_t from, size_t to)
{
	for (size_t i = from; i + 4 <= to; i += 4) {
		out[i] += gather[idx[i]];
		out[i + 1] += gather[idx[i + 1]];
		out[i + 2] += gather[idx[i + 2]];
		out[i + 3] += gather[idx[i + 3]];
	}
}

static void *worker(void *arg)
{
	size_t part = COUNT / threads;
	size_t from = (size_t)(intptr_t)arg * part;
	int64_t end = cpu_ns() + budget_ns;

	while (cpu_ns() < end)
		hot_loop(from, from + part);
	return NULL;
}

static void fill(void)
{
	uint64_t state = 1;

	for (size_t i = 0; i < COUNT; i++) {
		gather[i] = (double)i;
		out[i] = 0;
		idx[i] = (uint32_t)(next_random(&state) % COUNT);
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
	gather = make_gather();
	idx = make_index();
	out = make_out();
	fill();
	start = now_ns();
	for (long t = 1; t < threads; t++)
		if (pthread_create(&ids[t], NULL, worker, (void *)(intptr_t)t))
			return 2;
	worker(NULL);
	for (long t = 1; t < threads; t++)
		pthread_join(ids[t], NULL);
	tell_array("gather", gather, COUNT * sizeof(*gather), 0, start, now_ns());
	tell_array("idx", idx, COUNT * sizeof(*idx), 0, start, now_ns());
	tell_array("out", out, COUNT * sizeof(*out), 0, start, now_ns());
	return 0;
}

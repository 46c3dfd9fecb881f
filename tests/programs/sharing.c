/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two threads write to cache lines in three ways. `packed` has one word of each thread in the
 * same line (false sharing), `padded` has one line per thread (no sharing), and `counter` is one
 * word that both write (true sharing). If there are two CPUs, each thread stays on one of them:
 * threads on one CPU use the same cache, so the lines would not move.
 */
#include <pthread.h>
#include <sched.h>

#include "answer.h"

enum { THREADS = 2, ROUNDS = 20000, LINE_WORDS = 8 };

_Alignas(64) static volatile uint64_t packed[LINE_WORDS];
_Alignas(64) static volatile uint64_t padded[THREADS][LINE_WORDS];
_Alignas(64) static volatile uint64_t counter[LINE_WORDS];
static pthread_barrier_t start;
static int64_t budget;

NOINLINE static void count(volatile uint64_t *word)
{
	for (int i = 0; i < 8 * ROUNDS; i++)
		++*word;
}

NOINLINE static void count_together(void)
{
	for (int i = 0; i < ROUNDS; i++)
		__atomic_fetch_add(&counter[0], 1, __ATOMIC_RELAXED);
}

/* Binds the thread to the n-th CPU that the program may use. Does nothing if there are fewer
 * CPUs. */
static void stay_on_cpu(size_t n)
{
	cpu_set_t allowed, one;

	CPU_ZERO(&one);
	if (sched_getaffinity(0, sizeof(allowed), &allowed))
		return;
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &allowed) && n-- == 0)
			CPU_SET(cpu, &one);
	if (CPU_COUNT(&one))
		sched_setaffinity(0, sizeof(one), &one);
}

static void *worker(void *arg)
{
	stay_on_cpu((size_t)arg);
	pthread_barrier_wait(&start);
	while (cpu_ns() < budget) {
		count(&packed[(size_t)arg]);
		count(padded[(size_t)arg]);
		count_together();
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS];

	budget = work_ns(argc, argv, 1);
	if (pthread_barrier_init(&start, NULL, THREADS))
		return 2;
	for (size_t i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, worker, (void *)i))
			return 2;
	for (size_t i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	printf("value counted %d\n", counter[0] > 0);
	return 0;
}

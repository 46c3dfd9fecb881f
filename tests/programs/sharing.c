/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two threads write to cache lines in five ways. `packed` has one word of each thread in the same
 * line (false sharing), `padded` has one line per thread (no sharing), and `counter` is one word
 * that both write (true sharing). The members of `ring` are in one line: each thread counts in one
 * member, and both read `limit`; with -DRING=MEMBERS the members have a different layout. If there
 * are two CPUs, each thread stays on one of them: threads on one CPU use the same cache, so the
 * lines would not move.
 */
#include <limits.h>
#include <pthread.h>
#include <stdalign.h>

#include "answer.h"
#include "on_cpu.h"

enum { THREADS = 2, ROUNDS = 4000, LINE_WORDS = 8 };

_Alignas(64) static uint64_t packed[LINE_WORDS];
_Alignas(64) static uint64_t padded[THREADS][LINE_WORDS];
_Alignas(64) static volatile uint64_t counter[LINE_WORDS];
#ifndef RING
#define RING       \
	long head; \
	int name;  \
	long tail; \
	long limit;
#endif
struct ring {
	RING
};
static volatile struct ring *ring;
_Alignas(64) static double sums[LINE_WORDS];
static pthread_barrier_t start;
static int64_t work;

/* The compiler must store each increment, and may use one instruction to load and store. With two
 * instructions, some processors would wait only for the load, so no sample would be a store. */
NOINLINE static void count(uint64_t *word)
{
	for (int i = 0; i < 8 * ROUNDS; i++) {
		++*word;
		__asm__ volatile("" : : : "memory");
	}
}

NOINLINE static void add_up(double *sum)
{
	for (int i = 0; i < 2 * ROUNDS; i++) {
		*sum += 0.5;
		__asm__ volatile("" : : : "memory");
	}
}

NOINLINE static void count_together(void)
{
	for (int i = 0; i < ROUNDS; i++)
		__atomic_fetch_add(&counter[0], 1, __ATOMIC_RELAXED);
}

NOINLINE static void count_in_ring(int end)
{
	volatile long *word = end ? &ring->tail : &ring->head;

	for (int i = 0; i < ROUNDS && *word < ring->limit; i++)
		__atomic_fetch_add(word, 1, __ATOMIC_RELAXED);
}

static void *worker(void *arg)
{
	struct budget left;

	stay_on_cpu((size_t)arg);
	pthread_barrier_wait(&start);
	left = budget_of(work);
	while (budget_lasts(&left)) {
		count(&packed[(size_t)arg]);
		count(padded[(size_t)arg]);
		add_up(&sums[(size_t)arg]);
		count_together();
		count_in_ring(arg != NULL);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS];

	work = work_ns(argc, argv, 1);
	ring = aligned_alloc(64, (sizeof(struct ring) + 63) / 64 * 64);
	if (!ring)
		return 2;
	*ring = (struct ring){ .limit = LONG_MAX };
	if (pthread_barrier_init(&start, NULL, THREADS))
		return 2;
	for (size_t i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, worker, (void *)i))
			return 2;
	for (size_t i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	printf("value counted %d\nvalue rounds %ld\n", counter[0] > 0, ring->head + ring->tail);
	return 0;
}

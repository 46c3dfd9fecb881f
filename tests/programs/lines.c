/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two threads use several cache lines for ROUNDS rounds, each line in a different way. The first
 * three lines move between the threads at least once in two rounds, however the threads are
 * scheduled, because both threads use the line once in each round. False sharing: each thread
 * writes its own word of `packed`; in `beside`, one word is written, and another word, which main()
 * has set, is only read. True sharing: both threads write `counter`. The other lines do not move in
 * most rounds. `config`: both threads only read what main() has set. `own`: each thread uses its
 * own line. `phased`: has one word for each thread, and only one of the two is used for many
 * rounds. `globals`: main() stores to one word once, and both threads read the other word.
 */
#include <pthread.h>
#include <stdalign.h>

#include "answer.h"

enum { ROUNDS = 2000, PHASES = 4 };

_Alignas(64) static volatile struct {
	long left, right;
} packed;
_Alignas(64) static volatile struct {
	long hot, limit;
} beside;
_Alignas(64) static volatile struct {
	long first, second;
} config;
_Alignas(64) static volatile struct {
	long n[8];
} own[2];
_Alignas(64) static volatile long counter;
_Alignas(64) static volatile struct {
	long odd, even;
} phased;
_Alignas(64) static volatile struct {
	long set_by_main, read_often;
} globals;
_Alignas(64) static pthread_barrier_t phase;

NOINLINE static void use(long me)
{
	if (me)
		packed.right++;
	else
		packed.left++;
	if (me)
		(void)beside.limit;
	else
		beside.hot++;
	if (me)
		(void)config.first;
	else
		(void)config.second;
	(void)globals.read_often;
	own[me].n[0]++;
	__atomic_fetch_add(&counter, 1, __ATOMIC_RELAXED);
}

static void *worker(void *arg)
{
	const long me = (long)arg;

	for (long i = 0; i < ROUNDS; i++) {
		use(me);
		pthread_barrier_wait(&phase);
	}
	for (long p = 0; p < PHASES; p++) {
		for (long i = 0; p % 2 == me && i < ROUNDS; i++) {
			if (me)
				phased.odd++;
			else
				phased.even++;
		}
		pthread_barrier_wait(&phase);
	}
	return NULL;
}

int main(void)
{
	pthread_t threads[2];

	packed.left = packed.right = beside.hot = beside.limit = own[0].n[0] = own[1].n[0] =
		counter = 0;
	phased.odd = phased.even = 0;
	config.first = config.second = globals.set_by_main = 1;
	if (pthread_barrier_init(&phase, NULL, 2))
		return 2;
	for (long i = 0; i < 2; i++)
		if (pthread_create(&threads[i], NULL, worker, (void *)i))
			return 2;
	for (size_t i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	printf("value counted %ld\n", counter + packed.left + packed.right);
	return 0;
}

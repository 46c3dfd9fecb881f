/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One thread allocates blocks, and another thread frees them at once.
 * run.sh checks this (the notation is in hostile.h):
 * expect: births 400000 deaths 400000 */
#include "hostile.h"

enum { N = 200000, SLOTS = 64 };

static void *slots[2][SLOTS];

static void *give(void *arg)
{
	long way = (long)arg;

	for (int i = 0; i < N; i++) {
		void *p = mark(), *none = NULL;

		while (!__atomic_compare_exchange_n(&slots[way][i % SLOTS], &none, p, 0,
						    __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
			none = NULL;
			sched_yield();
		}
	}
	return NULL;
}

static void *take(void *arg)
{
	long way = (long)arg;

	for (int i = 0; i < N; i++) {
		void *p;

		while (!(p = __atomic_exchange_n(&slots[way][i % SLOTS], NULL, __ATOMIC_ACQ_REL)))
			sched_yield();
		free(p);
	}
	return NULL;
}

int main(void)
{
	pthread_t t[4];

	for (long way = 0; way < 2; way++) {
		start_threads(&t[2 * way], 1, give, (void *)way);
		start_threads(&t[2 * way + 1], 1, take, (void *)way);
	}
	join_threads(t, 4);
	puts("handed over");
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Built without optimization: each access loads its pointer from the stack frame and overwrites it.
 * Two threads add up numbers, each in a struct of its own. Both structs are in one cache line
 * (false sharing), or with the argument `apart` in different lines (no sharing). If there are two
 * CPUs, each thread stays on one of them.
 */
#include <pthread.h>
#include <stdalign.h>
#include <stddef.h>

#include "answer.h"
#include "on_cpu.h"

enum { THREADS = 2, NUMBERS = 2000, LINE = 64 };

struct total {
	const signed char *numbers;
	long n, sum, squares;
};

alignas(LINE) static char memory[THREADS][LINE];
static signed char numbers[NUMBERS];
static pthread_barrier_t start;
static size_t distance = sizeof(struct total);

NOINLINE static void add_up(struct total *argument)
{
	struct total *t = argument;

	for (int i = 0; i < t->n; i++) {
		t->sum += t->numbers[i];
		t->squares += t->numbers[i] * t->numbers[i];
	}
}

static void *worker(void *arg)
{
	struct total *t = (struct total *)((char *)memory + (size_t)arg * distance);
	struct budget left;
	long rounds = 0;

	stay_on_cpu((size_t)arg);
	t->numbers = numbers;
	t->n = NUMBERS;
	pthread_barrier_wait(&start);
	for (left = budget_of(INT64_C(600000000)); budget_lasts(&left); rounds++)
		add_up(t);
	return (void *)rounds;
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS];
	void *rounds;
	long sum = 0;

	if (argc > 1 && !strcmp(argv[1], "apart"))
		distance = LINE;
	pthread_barrier_init(&start, NULL, THREADS);
	for (size_t i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, worker, (void *)i))
			return 1;
	for (size_t i = 0; i < THREADS; i++) {
		pthread_join(threads[i], &rounds);
		sum += (long)rounds;
	}
	printf("value rounds %ld\n", sum);
	printf("value lines %d\n", distance == LINE ? 2 : 1);
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Small blocks, most of which no sample refers to. Two threads free each other's blocks, a list
 * is used, some blocks are never freed, some grow, and a child uses blocks that its parent frees
 * after the fork. Many large blocks follow each other.
 */
#include <pthread.h>
#include <sys/wait.h>

#include "answer.h"

enum {
	ROUNDS = 20000,
	NODES = 2000,
	LEFT = 7,
	SMALL = 104,
	GROWN = 37,
	NODE = 72,
	TEMPORARY = 12000, /* more than the blocks of an object that have rows for their size */
	LARGE = 8192,
};

struct node {
	struct node *next;
	long value;
	char rest[NODE - 16];
};

static void *blocks[2][ROUNDS];
static pthread_barrier_t barrier;

NOINLINE static void *make_small(void)
{
	return must_have(malloc(SMALL));
}

NOINLINE static void *make_left_over(void)
{
	return must_have(malloc(SMALL + 16));
}

NOINLINE static void *grow(void *p, size_t bytes)
{
	return must_have(realloc(p, bytes));
}

NOINLINE static void make_temporary(void)
{
	for (int i = 0; i < TEMPORARY; i++)
		free(must_have(malloc(LARGE)));
}

NOINLINE static struct node *make_node(struct node *next)
{
	struct node *n = must_have(malloc(NODE));

	*n = (struct node){ .next = next };
	return n;
}

static void *worker(void *arg)
{
	size_t me = (size_t)(intptr_t)arg;

	for (size_t i = 0; i < ROUNDS; i++)
		blocks[me][i] = make_small();
	pthread_barrier_wait(&barrier);
	for (size_t i = 0; i < ROUNDS; i++)
		free(blocks[!me][i]);
	return NULL;
}

NOINLINE static long use(struct node *list, int64_t ns)
{
	struct budget left = budget_of(ns);
	long sum = 0;

	do
		for (struct node *n = list; n; n = n->next)
			sum += ++n->value;
	while (budget_lasts(&left));
	return sum;
}

int main(void)
{
	struct node *list = NULL;
	pthread_t thread;
	void *p = NULL;
	pid_t child;

	pthread_barrier_init(&barrier, NULL, 2);
	if (pthread_create(&thread, NULL, worker, (void *)1))
		return 2;
	worker(NULL);
	pthread_join(thread, NULL);
	for (int i = 0; i < 1000; i++) {
		void *left = make_left_over();

		if (i >= LEFT)
			free(left);
	}
	make_temporary();
	for (size_t n = 1; n <= 100; n++)
		p = grow(p, n * GROWN);
	for (int i = 0; i < NODES; i++)
		list = make_node(list);
	use(list, 200000000);
	child = fork();
	if (child < 0)
		return 2;
	if (!child) {
		use(list, 200000000);
		_exit(0);
	}
	while (list) {
		struct node *next = list->next;

		free(list);
		list = next;
	}
	waitpid(child, NULL, 0);
	tell_value("small", 2 * ROUNDS);
	tell_value("small_bytes", SMALL);
	tell_value("left", LEFT);
	tell_value("left_bytes", SMALL + 16);
	tell_value("temporary", TEMPORARY);
	tell_value("large_bytes", LARGE);
	tell_value("node_bytes", NODE);
	tell_value("nodes", NODES);
	return p ? 0 : 1;
}

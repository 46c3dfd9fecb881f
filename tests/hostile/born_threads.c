/* SPDX-License-Identifier: GPL-2.0-or-later */
/* In forked children, several threads allocate at the same time as the first act of the child.
 * libc reuses the parent's thread stacks, so creating the threads allocates nothing.
 * run.sh checks this (the notation is in hostile.h):
 * expect: births 1608 deaths 1608 */
#include "hostile.h"

enum { THREADS = 4, CHILDREN = 100 };

static pthread_barrier_t all;

static void *run(void *arg)
{
	pthread_barrier_wait(&all);
	pairs(arg ? 2 : 4);
	return NULL;
}

static void run_all(void *arg)
{
	pthread_t t[THREADS];

	pthread_barrier_init(&all, NULL, THREADS);
	start_threads(t, THREADS, run, arg);
	join_threads(t, THREADS);
}

int main(void)
{
	run_all(&all);
	for (int i = 0; i < CHILDREN; i++) {
		pid_t pid = fork();

		if (!pid) {
			run_all(NULL);
			_exit(0);
		}
		wait_for(pid);
	}
	puts("born");
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program with four thousand threads at the same time.
 * run.sh checks this (the notation is in hostile.h):
 * expect: births 4000 deaths 4000 */
#include "hostile.h"

static pthread_barrier_t all;

static void *run(void *arg)
{
	void *p = mark();

	pthread_barrier_wait(&all);
	free(p);
	return NULL;
}

int main(void)
{
	static pthread_t t[4000];

	pthread_barrier_init(&all, NULL, 4000);
	start_threads(t, 4000, run, NULL);
	join_threads(t, 4000);
	puts("many threads");
	return 0;
}

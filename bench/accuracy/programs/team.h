/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Threads that start at the same time, for the programs about sharing. */
#ifndef ACCURACY_TEAM_H
#define ACCURACY_TEAM_H

#include <pthread.h>

enum { TEAM_MOST = 8, LINE = 64 };

static pthread_barrier_t team_start;
static void (*team_work)(int me);

static void *kernel_member(void *me)
{
	pthread_barrier_wait(&team_start);
	team_work((int)(intptr_t)me);
	return NULL;
}

/* Calls work(0) to work(n - 1), each in its own thread. */
static inline void team_run(int n, void (*work)(int me))
{
	pthread_t threads[TEAM_MOST];

	team_work = work;
	pthread_barrier_init(&team_start, NULL, (unsigned)n);
	for (int i = 0; i < n; i++)
		pthread_create(&threads[i], NULL, kernel_member, (void *)(intptr_t)i);
	for (int i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
	pthread_barrier_destroy(&team_start);
}

#endif

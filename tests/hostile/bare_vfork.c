/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Threads that never allocated call vfork(). The child shares the thread's memory and is the
 * first to allocate in it.
 * run.sh checks this (the notation is in hostile.h):
 * expect: births 40000 deaths 40000
 * lost: 4 */
#include "hostile.h"

static pthread_barrier_t all;

static void *run(void *arg)
{
	if (arg) {
		pid_t pid = vfork();

		if (!pid) {
			free(keep(malloc(24)));
			_exit(0);
		}
		wait_for(pid);
	}
	pthread_barrier_wait(&all);
	pairs(10000);
	return NULL;
}

int main(void)
{
	pthread_t t[4];

	pthread_barrier_init(&all, NULL, 4);
	start_threads(t, 2, run, &all);
	usleep(50000);
	start_threads(t + 2, 2, run, NULL);
	join_threads(t, 4);
	puts("ended");
	return 0;
}

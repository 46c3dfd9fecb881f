/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program that sets names, affinities and memory policies of its own thread and of another.
 * run.sh checks this (the notation is in hostile.h):
 * expect: births 0 deaths 0
 * events: pthread_setname_np 3 sched_setaffinity 1 pthread_setaffinity_np 1 madvise 1 mbind 1..2 */
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "hostile.h"

static pthread_barrier_t both;

static void *run(void *arg)
{
	free(malloc(1));
	pthread_barrier_wait(&both);
	pthread_barrier_wait(&both);
	return NULL;
}

int main(void)
{
	static char _Alignas(4096) page[4096];
	cpu_set_t cpus;
	pthread_t t;

	pthread_barrier_init(&both, NULL, 2);
	start_threads(&t, 1, run, NULL);
	pthread_barrier_wait(&both);
	must(!sched_getaffinity(0, sizeof(cpus), &cpus), "sched_getaffinity");
	must(!sched_setaffinity(0, sizeof(cpus), &cpus), "sched_setaffinity");
	must(!pthread_setaffinity_np(t, sizeof(cpus), &cpus), "pthread_setaffinity_np");
	must(!pthread_setname_np(t, "worker"), "pthread_setname_np");
	must(!pthread_setname_np(pthread_self(), "main"), "pthread_setname_np");
	must(!prctl(PR_SET_NAME, "again"), "prctl");
	must(!madvise(page, sizeof(page), MADV_NORMAL), "madvise");
	syscall(SYS_mbind, page, sizeof(page), 0, NULL, 0, 0);
	pthread_barrier_wait(&both);
	join_threads(&t, 1);
	puts("named");
	return 0;
}

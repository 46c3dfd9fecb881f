/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Threads are cancelled during their allocations and between them.
 * run.sh checks this (the notation is in hostile.h):
 * expect: program */
#include "hostile.h"

static volatile long begun[200], done[200];

static void *churn(void *arg)
{
	long i = (long)arg;

	for (;;) {
		begun[i]++;
		free(mark());
		done[i]++;
		pthread_testcancel();
	}
	return NULL;
}

int main(void)
{
	long low = 0, high = 0;
	pthread_t t;

	for (long i = 0; i < 200; i++) {
		must(!pthread_create(&t, NULL, churn, (void *)i), "pthread_create");
		while (!done[i])
			sched_yield();
		pthread_cancel(t);
		pthread_join(t, NULL);
		low += done[i];
		high += begun[i];
	}
	hostile_expect(low, high);
	puts("canceled");
	return 0;
}

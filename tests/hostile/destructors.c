/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Destructors of thread-specific data allocate. They also set a new value, so libc calls them
 * again, in several rounds.
 * run.sh checks this (the notation is in hostile.h):
 * expect: births 600 deaths 600 */
#include "hostile.h"

static pthread_key_t key;

static void destroy(void *arg)
{
	long left = (long)arg;

	pairs(3);
	if (left > 1)
		pthread_setspecific(key, (void *)(left - 1));
}

static void *run(void *arg)
{
	pthread_setspecific(key, (void *)4L);
	return NULL;
}

int main(void)
{
	pthread_t t[50];

	pthread_key_create(&key, destroy);
	start_threads(t, 50, run, NULL);
	join_threads(t, 50);
	puts("destructors");
	return 0;
}

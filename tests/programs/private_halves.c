/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Two threads each work on their own half of one block. Both access the object, but they share
 * no cache line. */
#include <pthread.h>

#include "work.h"

enum { COUNT = 4 << 20 };

static uint64_t *halves;
static int64_t budget;

NOINLINE static uint64_t *make_halves(void)
{
	return must_have(calloc(COUNT, sizeof(uint64_t)));
}

static void *worker(void *is_right)
{
	const char *name = is_right ? "right" : "left";
	size_t from = is_right ? COUNT / 2 : 0;

	pthread_setname_np(pthread_self(), name);
	work_on(name, halves + from, COUNT / 2, budget);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t left, right;

	budget = work_ns(argc, argv, 1);
	halves = make_halves();
	tell_array("halves", halves, COUNT * sizeof(*halves), 0, now_ns(), 0);
	if (pthread_create(&left, NULL, worker, NULL) ||
	    pthread_create(&right, NULL, worker, halves))
		return 2;
	pthread_join(left, NULL);
	pthread_join(right, NULL);
	return 0;
}

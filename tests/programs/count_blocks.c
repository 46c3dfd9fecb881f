/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two threads allocate a known number of blocks with each allocation function. No other code
 * uses this block size. The other thread frees half of the blocks.
 */
#include <malloc.h>
#include <pthread.h>

#include "answer.h"

enum { ROUNDS = 5000, BYTES = 7777 };

static void *blocks[2][ROUNDS];
static pthread_barrier_t barrier;

NOINLINE static void *block(size_t i)
{
	void *p = NULL;

	switch (i % 5) {
	case 0:
		return malloc(BYTES);
	case 1:
		return calloc(1, BYTES);
	case 2:
		return realloc(malloc(32), BYTES);
	case 3:
		return posix_memalign(&p, 64, BYTES) ? NULL : p;
	default:
		return memalign(128, BYTES);
	}
}

static void *worker(void *arg)
{
	size_t me = (size_t)(intptr_t)arg;

	for (size_t i = 0; i < ROUNDS; i++)
		blocks[me][i] = must_have(block(i));
	pthread_barrier_wait(&barrier);
	for (size_t i = 0; i < ROUNDS; i++)
		if (i % 2)
			free(blocks[!me][i]);
	return NULL;
}

int main(void)
{
	pthread_t thread;

	pthread_barrier_init(&barrier, NULL, 2);
	if (pthread_create(&thread, NULL, worker, (void *)1))
		return 2;
	worker(NULL);
	pthread_join(thread, NULL);
	tell_value("blocks", 2 * ROUNDS);
	tell_value("bytes", BYTES);
	tell_value("freed", ROUNDS);
	return 0;
}

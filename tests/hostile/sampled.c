/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tracker records one of twenty small blocks, chosen at random, and all large blocks. The
 * expected range is five standard deviations wide on either side.
 * run.sh checks this (the notation is in hostile.h):
 * options: sample_small=20
 * expect: births 7588..8462 deaths 7588..8462
 * exact: 5003 1500
 * unknown: 0 */
#include "hostile.h"

enum { BLOCKS = 40000, LARGE = 5003, RESIZED = 500 };

static void *blocks[2][BLOCKS];
static pthread_barrier_t both;

/* Allocates marked blocks and other blocks in turn. If the tracker recorded every n-th block and
 * not random ones, it would record all marked blocks or none of them. */
static void *fill(void *arg)
{
	size_t me = (size_t)arg;

	for (int i = 0; i < BLOCKS; i++) {
		blocks[me][i] = mark();
		free(keep(malloc(24)));
	}
	pthread_barrier_wait(&both);
	for (int i = 0; i < BLOCKS; i++)
		free(blocks[!me][i]);
	pairs(BLOCKS);
	return NULL;
}

/* Resizes blocks from small to large and back. Some calls fail. */
static void resize(void)
{
	for (int i = 0; i < RESIZED; i++) {
		char *p = keep(realloc(malloc(64), LARGE));

		must(!realloc(p, SIZE_MAX / 4), "there is not so much");
		p = keep(realloc(p, MARK));
		p = keep(realloc(p, MARK * 2));
		must(!realloc(p, SIZE_MAX / 4), "there is not so much");
		p = keep(realloc(p, LARGE));
		must(!realloc(p, 0), "it is freed");
		free(keep(calloc(1, LARGE)));
	}
}

int main(void)
{
	pthread_t t;

	pthread_barrier_init(&both, NULL, 2);
	start_threads(&t, 1, fill, (void *)1);
	fill(NULL);
	join_threads(&t, 1);
	resize();
	puts("sampled");
	return 0;
}

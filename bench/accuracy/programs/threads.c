/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Two threads do different work: one counts keys (32 MiB, in order) in a table (64 MiB, at random),
 * the other reads blocks of one cache line (128 MiB, at random). */
// options -pthread
// object counts -DCOUNT_MASK=63
// object keys -DKEY_MASK=63
// object blocks -DBLOCK_MASK=7
#include <pthread.h>

#include "program.h"

enum { KEYS = 1 << 23, COUNTS = 1 << 24, BLOCKS = 1 << 21, LOOKS = 1 << 24 };
#ifndef COUNT_MASK
#define COUNT_MASK (COUNTS - 1)
#endif
#ifndef KEY_MASK
#define KEY_MASK (KEYS - 1)
#endif
#ifndef BLOCK_MASK
#define BLOCK_MASK (BLOCKS - 1)
#endif

struct block {
	double at[8];
};
static struct block *blocks;
static uint32_t *counts, *keys;

void init(void)
{
	counts = malloc(COUNTS * sizeof(*counts));
	keys = malloc(KEYS * sizeof(*keys));
	blocks = malloc(BLOCKS * sizeof(*blocks));
	for (int i = 0; i < COUNTS; i++)
		counts[i] = 0;
	for (int i = 0; i < KEYS; i++)
		keys[i] = random_number();
	for (int i = 0; i < BLOCKS; i++)
		for (int k = 0; k < 8; k++)
			blocks[i].at[k] = 1;
}

static void *kernel_count(void *unused)
{
	for (uint32_t i = 0; i < 3 * KEYS; i++)
		counts[MIX(keys[i & KEY_MASK], i) & COUNT_MASK]++;
	return unused;
}

static void *kernel_look(void *sum)
{
	double all = 0;

	for (uint32_t i = 0; i < LOOKS; i++) {
		const struct block *b = &blocks[(MIX(i, i) >> 3) & BLOCK_MASK];

		for (int k = 0; k < 8; k++)
			all += b->at[k];
	}
	*(double *)sum = all;
	return NULL;
}

double kernel(void)
{
	pthread_t count, look;
	double sum;

	pthread_create(&count, NULL, kernel_count, NULL);
	pthread_create(&look, NULL, kernel_look, &sum);
	pthread_join(count, NULL);
	pthread_join(look, NULL);
	return sum + counts[7];
}

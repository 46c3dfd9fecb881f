/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Searches keys (8 MiB, in order) in a sorted array on the heap (64 MiB) by halving. For each place
 * found, reads an answer from another array (64 MiB, at random). */
// object sorted -DSORTED_KEY(k)=((k)&0xfc000000)
// object keys -DKEY_MASK=63
// object answers -DANSWER_MASK=63
#include "program.h"

enum { N = 1 << 24, KEYS = 1 << 21 };
#ifndef SORTED_KEY
#define SORTED_KEY(k) (k)
#endif
#ifndef KEY_MASK
#define KEY_MASK (KEYS - 1)
#endif
#ifndef ANSWER_MASK
#define ANSWER_MASK (N - 1)
#endif

static uint32_t *sorted, *keys, *answers;

void init(void)
{
	sorted = malloc(N * sizeof(*sorted));
	answers = malloc(N * sizeof(*answers));
	keys = malloc(KEYS * sizeof(*keys));
	for (uint32_t i = 0; i < N; i++) {
		sorted[i] = i << 8;
		answers[i] = i;
	}
	for (int i = 0; i < KEYS; i++)
		keys[i] = random_number();
}

double kernel(void)
{
	double sum = 0;

	for (uint32_t i = 0; i < KEYS; i++) {
		uint32_t key = SORTED_KEY(MIX(keys[i & KEY_MASK], i)), low = 0, high = N;

		while (low < high) {
			uint32_t middle = low + (high - low) / 2;

			if (sorted[middle] < key)
				low = middle + 1;
			else
				high = middle;
		}
		sum += answers[MIX(low, i) & ANSWER_MASK];
	}
	return sum;
}

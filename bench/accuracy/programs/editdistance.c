/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Computes edit distances between a word and texts (64 MiB, in order). Keeps one row of the table
 * of distances (100 bytes), and looks up the cost of each exchange of letters (64 KiB). */
// held out
// object texts -DTEXT_MASK=511
// object costs -DCOST_MASK=15
// object row -DLOCAL_AS_IT_IS
#include "program.h"

enum { TEXT = 1 << 26, WORD = 24 };
#ifndef TEXT_MASK
#define TEXT_MASK (TEXT - 1)
#endif
#ifndef COST_MASK
#define COST_MASK 255
#endif

static uint8_t *texts, word[WORD], costs[256][256];
static uint32_t row[WORD + 1];

void init(void)
{
	texts = malloc(TEXT);
	for (int i = 0; i < TEXT; i++)
		texts[i] = (uint8_t)random_number();
	for (int i = 0; i < WORD; i++)
		word[i] = (uint8_t)random_number();
	for (int i = 0; i < 256; i++)
		for (int k = 0; k < 256; k++)
			costs[i][k] = (uint8_t)(random_number() & 7);
}

static uint32_t least(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

double kernel(void)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < TEXT / 4; i++) {
		const uint8_t *cost = costs[(texts[i * 4 & TEXT_MASK] ^ i) & COST_MASK];
		uint32_t before = row[0], left = i & 255;

		row[0] = left;
		for (int k = 0; k < WORD; k++) {
			uint32_t up = row[k + 1];

			left = least(least(left, up) + 3, before + cost[word[k] & COST_MASK]);
			before = up;
			row[k + 1] = left;
		}
		sum += left;
	}
	return (double)sum;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Vector code: reads rows of 16 floats from a table (128 MiB, at random), multiplies each row by a
 * factor (in order), and adds the rows up. */
// object table -DTABLE_MASK=7
// object tokens -DTOKEN_MASK=63
// object scale -DSCALE_MASK=63
// object sums -DSUM_MASK=7
#include "program.h"

enum { ROWS = 1 << 21, TOKENS = 1 << 22, SUMS = 1 << 18 };
#ifndef TABLE_MASK
#define TABLE_MASK (ROWS - 1)
#endif
#ifndef TOKEN_MASK
#define TOKEN_MASK (TOKENS - 1)
#endif
#ifndef SCALE_MASK
#define SCALE_MASK (TOKENS - 1)
#endif
#ifndef SUM_MASK
#define SUM_MASK (SUMS - 1)
#endif

typedef float row __attribute__((vector_size(64)));
static row *table, *sums;
static float *scale;
static uint32_t *tokens;

void init(void)
{
	table = aligned_alloc(64, ROWS * sizeof(*table));
	sums = aligned_alloc(64, SUMS * sizeof(*sums));
	scale = malloc(TOKENS * sizeof(*scale));
	tokens = malloc(TOKENS * sizeof(*tokens));
	for (int i = 0; i < ROWS; i++)
		table[i] = (row){ 1, 2, 3, 4 };
	for (int i = 0; i < SUMS; i++)
		sums[i] = (row){ 0 };
	for (int i = 0; i < TOKENS; i++) {
		scale[i] = .5f;
		tokens[i] = random_number();
	}
}

double kernel(void)
{
	for (int repeat = 0; repeat < 5; repeat++) {
		for (uint32_t s = 0; s < SUMS; s++) {
			row sum = { 0 };

			for (uint32_t i = s * 16; i < s * 16 + 16; i++)
				sum += table[MIX(tokens[i & TOKEN_MASK], i) & TABLE_MASK] *
				       scale[i & SCALE_MASK];
			sums[s & SUM_MASK] += sum;
		}
	}
	return (double)sums[7][1];
}

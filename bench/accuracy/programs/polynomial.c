/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Evaluates a polynomial of degree 9 for each number of an array (64 MiB), and stores the results
 * in another array (64 MiB), both in order. The arithmetic takes about as long as the accesses. */
// held out
// object numbers -DNUMBERS_MASK=63
// object results -DRESULTS_MASK=63
#include "program.h"

enum { NUMBERS = 1 << 23 };
#ifndef NUMBERS_MASK
#define NUMBERS_MASK UINT32_MAX
#endif
#ifndef RESULTS_MASK
#define RESULTS_MASK UINT32_MAX
#endif

static double numbers[NUMBERS], results[NUMBERS];
static volatile uint32_t numbers_mask = NUMBERS_MASK, results_mask = RESULTS_MASK;

void init(void)
{
	for (int i = 0; i < NUMBERS; i++)
		numbers[i] = random_number() / 4e9;
}

double kernel(void)
{
	uint32_t from = numbers_mask, to = results_mask;

	for (int repeat = 0; repeat < 8; repeat++)
		for (uint32_t i = 0; i < NUMBERS; i++) {
			double x = numbers[i & from], y = 1;

			for (int k = 1; k < 10; k++)
				y = y * x + 1.0 / k;
			results[i & to] = y;
		}
	return results[7];
}

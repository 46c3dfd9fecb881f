// SPDX-License-Identifier: GPL-2.0-or-later
// Finds the range that contains a random number in a sorted array on the heap (32 MiB), by halving
// without a branch, and adds up the values of the ranges (64 MiB).
// held out
// object bounds -DBOUNDS_MASK=31 bounds
// object values -DVALUES_MASK=63 values
#include "program.h"

enum { BOUNDS = 1 << 23, SEARCHES = 900000 };
#ifndef BOUNDS_MASK
#define BOUNDS_MASK (BOUNDS - 1)
#endif
#ifndef VALUES_MASK
#define VALUES_MASK (BOUNDS - 1)
#endif

static uint32_t *bounds;
static double *values;

void init()
{
	bounds = new uint32_t[BOUNDS];
	values = new double[BOUNDS];
	for (uint32_t i = 0; i < BOUNDS; i++) {
		bounds[i] = i << 9;
		values[i] = i;
	}
}

double kernel()
{
	double sum = 0;

	for (uint32_t n = 0; n < SEARCHES; n++) {
		uint32_t wanted = random_number(), first = 0;

		for (uint32_t half = BOUNDS / 2; half; half /= 2)
			first = bounds[(first + half) & BOUNDS_MASK] <= wanted ? first + half
									       : first;
		sum += values[MIX(first, n) & VALUES_MASK];
	}
	return sum;
}

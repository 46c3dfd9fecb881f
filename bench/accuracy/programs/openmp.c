/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A gather in two OpenMP threads, with arrays on the heap: `values` are used at random (64 MiB),
 * `weights`, `places` and `sums` in order. */
// options -fopenmp
// object values -DVALUE_MASK=63
// object weights -DWEIGHT_MASK=63
// object places -DPLACE_MASK=63
// object sums -DSUM_MASK=63
#include "program.h"

enum { N = 1 << 23 };
#ifndef VALUE_MASK
#define VALUE_MASK (N - 1)
#endif
#ifndef WEIGHT_MASK
#define WEIGHT_MASK (N - 1)
#endif
#ifndef PLACE_MASK
#define PLACE_MASK (N - 1)
#endif
#ifndef SUM_MASK
#define SUM_MASK (N - 1)
#endif

static double *values, *weights, *sums;
static uint32_t *places;

void init(void)
{
	values = malloc(N * sizeof(*values));
	weights = malloc(N * sizeof(*weights));
	sums = malloc(N * sizeof(*sums));
	places = malloc(N * sizeof(*places));
	for (int i = 0; i < N; i++) {
		values[i] = weights[i] = 1;
		sums[i] = 0;
		places[i] = random_number();
	}
}

double kernel(void)
{
	for (int repeat = 0; repeat < 8; repeat++) {
#pragma omp parallel for
		for (uint32_t i = 0; i < N; i++)
			sums[i & SUM_MASK] += weights[i & WEIGHT_MASK] *
					      values[MIX(places[i & PLACE_MASK], i) & VALUE_MASK];
	}
	return sums[7];
}

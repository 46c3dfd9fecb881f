/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Multiplies a sparse matrix by a vector that is larger than the caches: `p` and `a` have 64 MiB
 * each, `columns` has 32 MiB. */
// object p -DP_MASK=63
// object a -DA_MASK=63
// object columns -DCOLUMN_MASK=63
#include "program.h"

enum { N = 1 << 23 };
#ifndef P_MASK
#define P_MASK (N - 1)
#endif
#ifndef A_MASK
#define A_MASK (N - 1)
#endif
#ifndef COLUMN_MASK
#define COLUMN_MASK (N - 1)
#endif

static double a[N], p[N], q[N / 32];
static uint32_t columns[N];

void init(void)
{
	for (int k = 0; k < N; k++) {
		columns[k] = random_number() % N;
		a[k] = 1.0 / (k + 1);
		p[k] = 1;
	}
}

double kernel(void)
{
	for (int repeat = 0; repeat < 8; repeat++) {
		for (uint32_t j = 0; j < N / 32; j++) {
			double sum = 0;

			for (uint32_t k = j * 32; k < j * 32 + 32; k++)
				sum += a[k & A_MASK] * p[MIX(columns[k & COLUMN_MASK], k) & P_MASK];
			q[j] = sum;
		}
	}
	return q[7];
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Multiplies 131072 matrices of 8 x 8 (64 MiB), in random order, with vectors of 8 elements (8
 * MiB). Each matrix is used once, so it misses; the loops over a matrix are short. */
// held out
// object matrices -DMATRIX(i)=((i)&1)
// object vectors -DVECTOR(i)=((i)&1)
// object order -DLOCAL_AS_IT_IS
#include "program.h"

enum { N = 1 << 17, SIDE = 8 };
#ifndef MATRIX
#define MATRIX(i) (i)
#endif
#ifndef VECTOR
#define VECTOR(i) (i)
#endif

static double matrices[N][SIDE][SIDE], vectors[N][SIDE];
static uint32_t order[N];

void init(void)
{
	shuffle(order, N);
	for (uint32_t i = 0; i < N; i++)
		for (int k = 0; k < SIDE; k++) {
			vectors[i][k] = 1.0 / (1 + i + k);
			for (int j = 0; j < SIDE; j++)
				matrices[i][k][j] = 1.0 / (2 + i + k + j);
		}
}

static double apply(const double *m, const double *v, size_t side)
{
	double sum = 0;

	for (size_t k = 0; k < side; k++) {
		double row = 0;

		for (size_t j = 0; j < side; j++)
			row += m[k * side + j] * v[j];
		sum += row * row;
	}
	return sum;
}

double kernel(void)
{
	double sum = 0;

	for (int repeat = 0; repeat < 20; repeat++)
		for (uint32_t i = 0; i < N; i++)
			sum += apply(matrices[MATRIX(order[i])][0], vectors[VECTOR(order[i])],
				     SIDE);
	return sum;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Multiplies two matrices of 1000 x 1000 in tiles of 40 x 40, which stay in the first-level cache
 * while they are used. */
// object left -DLEFT=0
// object right -DRIGHT=0
// object product -DPRODUCT=0
#include "program.h"

enum { N = 1000, TILE = 40 };
#ifndef LEFT
#define LEFT N
#endif
#ifndef RIGHT
#define RIGHT N
#endif
#ifndef PRODUCT
#define PRODUCT N
#endif

static double left[N * N], right[N * N], product[N * N];

/* Distances between rows. They are volatile, so the compiler makes the same code whether or not
 * they are 0. */
static volatile size_t left_row = LEFT, right_row = RIGHT, product_row = PRODUCT;

void init(void)
{
	for (int i = 0; i < N * N; i++) {
		left[i] = 1.0 / (1 + i);
		right[i] = 1.0 / (2 + i);
	}
}

static void multiply_tile(double *p, const double *l, const double *r, size_t to, size_t to_left,
			  size_t to_right)
{
	for (size_t i = 0; i < TILE; i++)
		for (size_t k = 0; k < TILE; k++)
			for (size_t j = 0; j < TILE; j++)
				p[i * to + j] += l[i * to_left + k] * r[k * to_right + j];
}

double kernel(void)
{
	size_t to_left = left_row, to_right = right_row, to = product_row;

	for (int repeat = 0; repeat < 3; repeat++)
		for (size_t i = 0; i < N; i += TILE)
			for (size_t k = 0; k < N; k += TILE)
				for (size_t j = 0; j < N; j += TILE)
					multiply_tile(product + i * to + j, left + i * to_left + k,
						      right + k * to_right + j, to, to_left,
						      to_right);
	return product[7];
}

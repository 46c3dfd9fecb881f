/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Multiplies two matrices of 771 x 771 in the textbook way: a row of `left` times a column of
 * `right`. The steps along the column are as long as a row. */
// held out
// object left -DLEFT=0
// object right -DRIGHT=0
// object product -DPRODUCT=0
#include "program.h"

enum { N = 771 };
#ifndef LEFT
#define LEFT N
#endif
#ifndef RIGHT
#define RIGHT N
#endif
#ifndef PRODUCT
#define PRODUCT N
#endif

static double left[N][N], right[N][N], product[N][N];

/* Distances between rows. They are volatile, so the compiler makes the same code whether or not
 * they are 0. */
static volatile size_t left_row = LEFT, right_row = RIGHT, product_row = PRODUCT;

void init(void)
{
	for (int i = 0; i < N; i++)
		for (int k = 0; k < N; k++) {
			left[i][k] = 1.0 / (1 + i + k);
			right[i][k] = 1.0 / (2 + i - k + N);
		}
}

double kernel(void)
{
	const double *l = left[0], *r = right[0];
	double *p = product[0];

	for (size_t i = 0, to_left = left_row, to_right = right_row, to = product_row; i < N; i++)
		for (size_t j = 0; j < N; j++) {
			double sum = 0;

			for (size_t k = 0; k < N; k++)
				sum += l[i * to_left + k] * r[k * to_right + j];
			p[i * to + j] = sum;
		}
	return product[0][7];
}

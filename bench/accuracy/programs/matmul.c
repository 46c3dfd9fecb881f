/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The product of two matrices of 768 x 768 as it is in the book: a row of left times a column of
 * right, which is walked with a stride of a row. */
// held out
// object left -DLEFT_ROW(i)=((i)&1)
// object right -DRIGHT_ROW(k)=((k)&15)
// object product -DPRODUCT_ROW(i)=((i)&1)
#include "program.h"

enum { N = 771 };
#ifndef LEFT_ROW
#define LEFT_ROW(i) (i)
#endif
#ifndef RIGHT_ROW
#define RIGHT_ROW(k) (k)
#endif
#ifndef PRODUCT_ROW
#define PRODUCT_ROW(i) (i)
#endif

static double left[N][N], right[N][N], product[N][N];

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
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++) {
			double sum = 0;

			for (int k = 0; k < N; k++)
				sum += left[LEFT_ROW(i)][k] * right[RIGHT_ROW(k)][j];
			product[PRODUCT_ROW(i)][j] = sum;
		}
	return product[1][7];
}

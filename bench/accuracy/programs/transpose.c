/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copies the columns of a matrix (2048 x 2048, 32 MiB) to the rows of another matrix, multiplied by
 * a factor for each element (16 KiB). If `in` is local, only 32 elements of its first column are
 * used. If `out` is local, all its rows are the first row. */
// held out
// object in -DIN_COLUMN=0
// object out -DOUT_ROW=0
// object factors -DFACTOR_MASK=63
#include "program.h"

enum { N = 2048 };
#ifndef IN_COLUMN
#define IN_COLUMN 1
#endif
#ifndef OUT_ROW
#define OUT_ROW 1
#endif
#ifndef FACTOR_MASK
#define FACTOR_MASK (N - 1)
#endif

static double *in, *out, factors[N];

void init(void)
{
	in = malloc(N * N * sizeof(*in));
	out = malloc(N * N * sizeof(*out));
	for (int i = 0; i < N * N; i++) {
		in[i] = random_number();
		out[i] = 0;
	}
	for (int i = 0; i < N; i++)
		factors[i] = 1.5;
}

double kernel(void)
{
	for (int repeat = 0; repeat < 24; repeat++) {
		__asm__ volatile("" ::: "memory"); /* so the compiler removes no repetition */
		for (int c = 0; c < N; c++) {
			double *restrict to = out + c * OUT_ROW * N;

			/* If `in` is local, reads 32 rows again and again, not all. */
			for (int r = 0; r < N; r++) {
				int row = IN_COLUMN ? r : r & 31;

				to[r] = in[row * N + c * IN_COLUMN] * factors[r & FACTOR_MASK];
			}
		}
	}
	return out[N * N / 2 + 7];
}

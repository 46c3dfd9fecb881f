/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A stencil of seven points on arrays of 256^3 cells (128 MiB each). If an array is local, all its
 * rows are the same row of the same plane. */
// object in -DIN_ROW=0
// object out -DOUT_ROW=0
// object factor -DFACTOR_ROW=0
#include "program.h"

enum { X = 256, ROWS = 256 * 256 };
#ifndef IN_ROW
#define IN_ROW 1
#endif
#ifndef OUT_ROW
#define OUT_ROW 1
#endif
#ifndef FACTOR_ROW
#define FACTOR_ROW 1
#endif

static double in[X * ROWS], out[X * ROWS], factor[X * ROWS];

void init(void)
{
	for (int i = 0; i < X * ROWS; i++) {
		in[i] = factor[i] = 1;
		out[i] = 0;
	}
}

double kernel(void)
{
	for (int repeat = 0; repeat < 30; repeat++) {
		__asm__ volatile("" ::: "memory"); /* so the compiler removes no repetition */
		for (int r = 256; r < ROWS - 256; r++) {
			double *restrict o = out + r * OUT_ROW * X;
			const double *c = factor + r * FACTOR_ROW * X;
			const double *i = in + (256 + (r - 256) * IN_ROW) * X;
			const double *north = i - X * IN_ROW, *south = i + X * IN_ROW;
			const double *up = i - X * 256 * IN_ROW, *down = i + X * 256 * IN_ROW;

			for (int x = 1; x < X - 1; x++)
				o[x] = c[x] * (i[x] * 6 - i[x - 1] - i[x + 1] - north[x] -
					       south[x] - up[x] - down[x]);
		}
	}
	return out[X * 300 + 7];
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The wave equation on a grid of 160^3 points: the new value of a point depends on seven points of
 * `now`, and on the point's value in `before` and `speed` (31 MiB each, on the heap). If an array
 * is local, all its rows are the same row of the same plane. */
// held out
// object now -DNOW_ROW=0
// object before -DBEFORE_ROW=0
// object speed -DSPEED_ROW=0
#include "program.h"

enum { X = 160, ROWS = X * X };
#ifndef NOW_ROW
#define NOW_ROW 1
#endif
#ifndef BEFORE_ROW
#define BEFORE_ROW 1
#endif
#ifndef SPEED_ROW
#define SPEED_ROW 1
#endif

static double *now, *before, *speed;

void init(void)
{
	now = malloc(X * ROWS * sizeof(*now));
	before = malloc(X * ROWS * sizeof(*before));
	speed = malloc(X * ROWS * sizeof(*speed));
	for (int i = 0; i < X * ROWS; i++) {
		now[i] = before[i] = 1;
		speed[i] = 0.1;
	}
}

double kernel(void)
{
	for (int repeat = 0; repeat < 90; repeat++) {
		__asm__ volatile("" ::: "memory"); /* so the compiler removes no repetition */
		for (int r = X; r < ROWS - X; r++) {
			double *restrict o = before + r * BEFORE_ROW * X;
			const double *c = speed + r * SPEED_ROW * X;
			const double *i = now + (X + (r - X) * NOW_ROW) * X;
			const double *north = i - X * NOW_ROW, *south = i + X * NOW_ROW;
			const double *up = i - X * X * NOW_ROW, *down = i + X * X * NOW_ROW;

			for (int x = 1; x < X - 1; x++)
				o[x] = 2 * i[x] - o[x] +
				       c[x] * (i[x - 1] + i[x + 1] + north[x] + south[x] + up[x] +
					       down[x] - 6 * i[x]);
		}
	}
	return before[X * ROWS / 2 + 7];
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A lattice of 2 million cells. `now` and `next` have five densities of each cell, in five arrays
 * (80 MiB each), and `kinds` has the kind of each cell (8 MiB). If an object is local, all its rows
 * are the same row. */
// held out
// object now -DNOW_ROW=0
// object next -DNEXT_ROW=0
// object kinds -DKIND_ROW=0
#include "program.h"

enum { X = 1024, Y = 2048, CELLS = X * Y };
#ifndef NOW_ROW
#define NOW_ROW 1
#endif
#ifndef NEXT_ROW
#define NEXT_ROW 1
#endif
#ifndef KIND_ROW
#define KIND_ROW 1
#endif

static double *now, *next;
static uint32_t *kinds;

void init(void)
{
	now = malloc(5 * CELLS * sizeof(*now));
	next = malloc(5 * CELLS * sizeof(*next));
	kinds = malloc(CELLS * sizeof(*kinds));
	for (int i = 0; i < 5 * CELLS; i++)
		now[i] = next[i] = 0.2;
	for (int i = 0; i < CELLS; i++)
		kinds[i] = random_number() % 64 == 0;
}

double kernel(void)
{
	for (int step = 0; step < 60; step++) {
		__asm__ volatile("" ::: "memory"); /* so the compiler removes no repetition */
		for (int y = 1; y < Y - 1; y++) {
			const double *in = now + X + (y - 1) * NOW_ROW * X;
			const uint32_t *kind = kinds + y * KIND_ROW * X;
			double *restrict out = next + y * NEXT_ROW * X;

			for (int x = 1; x < X - 1; x++) {
				double rest = in[x], east = in[CELLS + x - 1],
				       west = in[2 * CELLS + x + 1],
				       north = in[3 * CELLS + x - X * NOW_ROW],
				       south = in[4 * CELLS + x + X * NOW_ROW];
				double sum = (rest + east + west + north + south) * 0.2;
				double rate = kind[x] ? 0 : 0.6;

				out[x] = rest + rate * (sum - rest);
				out[CELLS + x] = east + rate * (sum - east);
				out[2 * CELLS + x] = west + rate * (sum - west);
				out[3 * CELLS + x] = north + rate * (sum - north);
				out[4 * CELLS + x] = south + rate * (sum - south);
			}
		}
	}
	return next[CELLS / 2];
}

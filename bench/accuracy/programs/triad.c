/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The triad of the benchmark STREAM, with three arrays of 128 MiB. If an array is local, all its
 * blocks are the first block. */
// object a -DA_BLOCK=0
// object b -DB_BLOCK=0
// object c -DC_BLOCK=0
#include "program.h"

enum { BLOCK = 512, BLOCKS = 1 << 15 };
#ifndef A_BLOCK
#define A_BLOCK 1
#endif
#ifndef B_BLOCK
#define B_BLOCK 1
#endif
#ifndef C_BLOCK
#define C_BLOCK 1
#endif

static double a[BLOCK * BLOCKS], b[BLOCK * BLOCKS], c[BLOCK * BLOCKS];

void init(void)
{
	for (int i = 0; i < BLOCK * BLOCKS; i++) {
		a[i] = 0;
		b[i] = c[i] = 1;
	}
}

double kernel(void)
{
	for (int repeat = 0; repeat < 40; repeat++) {
		__asm__ volatile("" ::: "memory"); /* so the compiler removes no repetition */
		for (int k = 0; k < BLOCKS; k++) {
			double *restrict x = a + k * A_BLOCK * BLOCK;
			const double *y = b + k * B_BLOCK * BLOCK, *z = c + k * C_BLOCK * BLOCK;

			for (int i = 0; i < BLOCK; i++)
				x[i] = y[i] + 3 * z[i];
		}
	}
	return a[7];
}

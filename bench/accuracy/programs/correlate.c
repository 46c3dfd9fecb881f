/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sums products of the columns of a table that is stored row by row (1024 x 1021 floats, 4 MiB), so
 * the steps along a column are as long as a row. Each column is walked many times. */
// held out
// object samples -DSAMPLES_ROW=0
// object weights -DWEIGHTS_STEP=0
#include "program.h"

enum { ROWS = 1024, COLUMNS = 1021, PAIRS = 300 };
#ifndef SAMPLES_ROW
#define SAMPLES_ROW COLUMNS
#endif
#ifndef WEIGHTS_STEP
#define WEIGHTS_STEP 1
#endif

static float samples[ROWS * COLUMNS], weights[ROWS];
/* These are volatile, so the compiler makes the same code whether or not they are 0. */
static volatile size_t samples_row = SAMPLES_ROW, weights_step = WEIGHTS_STEP;

void init(void)
{
	for (int i = 0; i < ROWS * COLUMNS; i++)
		samples[i] = (float)random_number() / 4e9f;
	for (int i = 0; i < ROWS; i++)
		weights[i] = 1.0f / (float)(1 + i);
}

double kernel(void)
{
	size_t row = samples_row, step = weights_step;
	double all = 0;

	for (int pair = 0; pair < PAIRS; pair++) {
		for (size_t column = 0; column < COLUMNS; column++) {
			const float *a = samples + column,
				    *b = samples + (column * 31 + (size_t)pair * 7) % COLUMNS;
			float sum = 0;

			for (size_t i = 0; i < ROWS; i++)
				sum += a[i * row] * b[i * row] * weights[i * step];
			all += (double)sum;
		}
	}
	return all;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Adds up columns of four matrices of 8192 x 1031 (64 MiB each), but skips about half of the
 * elements: a table of random bits (1 KiB) says which. The step to the next element of a column is
 * a row. A local matrix has only one row. */
// object first -DFIRST=0
// object second -DSECOND=0
// object third -DTHIRD=0
// object fourth -DFOURTH=0
#include "program.h"

enum { ROWS = 8192, COLUMNS = 1031 };
#ifndef FIRST
#define FIRST COLUMNS
#endif
#ifndef SECOND
#define SECOND COLUMNS
#endif
#ifndef THIRD
#define THIRD COLUMNS
#endif
#ifndef FOURTH
#define FOURTH COLUMNS
#endif

static double first[ROWS][COLUMNS], second[ROWS][COLUMNS], third[ROWS][COLUMNS],
	fourth[ROWS][COLUMNS];
static uint8_t mask[1024];

/* Distances between rows. They are volatile, so the compiler makes the same code whether or not
 * they are 0. */
static volatile size_t first_row = FIRST, second_row = SECOND, third_row = THIRD,
		       fourth_row = FOURTH;

void init(void)
{
	for (int i = 0; i < ROWS; i++)
		for (int k = 0; k < COLUMNS; k++) {
			first[i][k] = second[i][k] = 1;
			third[i][k] = fourth[i][k] = 2;
		}
	for (int i = 0; i < 1024; i++)
		mask[i] = (uint8_t)random_number();
}

/* Returns a number that no jump predictor can guess from v. */
static inline uint32_t scramble(uint32_t v)
{
	v *= 0x9E3779B1u;
	v ^= v >> 15;
	v *= 0x85ebca6bu;
	return v ^ v >> 13;
}

double kernel(void)
{
	const double *a = first[0], *b = second[0], *c = third[0], *d = fourth[0];
	const size_t to_a = first_row, to_b = second_row, to_c = third_row, to_d = fourth_row;
	double sum = 0;

	for (uint32_t k = 0; k < 256; k++)
		for (uint32_t i = 0; i < ROWS; i++)
			if (mask[scramble(k * ROWS + i) >> 22] & 1)
				sum += a[i * to_a + k] * b[i * to_b + k] +
				       c[i * to_c + k] * d[i * to_d + k];
	return sum;
}

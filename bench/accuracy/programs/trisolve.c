/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Solves a sparse lower triangular system: each unknown needs a division and eight earlier
 * unknowns. `values` has 64 MiB, `columns` has 32 MiB, `x` and `right` have 8 MiB each. */
// held out
// object values -DVALUE_MASK=63
// object columns -DCOLUMN_MASK=63
// object x -DX_MASK=63
// object right -DRIGHT_MASK=63
#include "program.h"

enum { ROWS = 1 << 20, DEGREE = 8 };
#ifndef VALUE_MASK
#define VALUE_MASK (ROWS * DEGREE - 1)
#endif
#ifndef COLUMN_MASK
#define COLUMN_MASK (ROWS * DEGREE - 1)
#endif
#ifndef X_MASK
#define X_MASK (ROWS - 1)
#endif
#ifndef RIGHT_MASK
#define RIGHT_MASK (ROWS - 1)
#endif

static double values[ROWS * DEGREE], x[ROWS], right[ROWS];
static uint32_t columns[ROWS * DEGREE];

void init(void)
{
	for (int i = 0; i < ROWS * DEGREE; i++) {
		values[i] = 1e-3;
		columns[i] = random_number();
	}
	for (int i = 0; i < ROWS; i++)
		right[i] = 1;
}

double kernel(void)
{
	for (int repeat = 0; repeat < 24; repeat++) {
		for (uint32_t i = 0; i < ROWS; i++) {
			double sum = right[i & RIGHT_MASK];

			for (uint32_t k = i * DEGREE; k < i * DEGREE + DEGREE; k++) {
				/* An index below i (or 0), which is scattered even if `columns` is
				 * local. */
				uint32_t j =
					(uint32_t)((uint64_t)MIX(columns[k & COLUMN_MASK], k) * i >>
						   32);

				sum -= values[k & VALUE_MASK] * x[j & X_MASK];
			}
			x[i & X_MASK] = sum / 1.25;
		}
	}
	return x[7];
}

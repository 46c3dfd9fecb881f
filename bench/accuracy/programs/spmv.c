/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Multiplies a sparse matrix by a vector: `p` has 109 KiB, `a` has 14 MiB, `columns` has 7 MiB. If
 * `columns` is local, so is `p`. */
// object p -DP_INDEX(x)=((x)&63)
// object a -DA_INDEX(x)=((x)&63)
// object columns -DCOLUMN_INDEX(x)=((x)&2047)
#include "program.h"

enum { ROWS = 14000, VALUES = 1853104 };
#ifndef P_INDEX
#define P_INDEX(x) (x)
#endif
#ifndef A_INDEX
#define A_INDEX(x) (x)
#endif
#ifndef COLUMN_INDEX
#define COLUMN_INDEX(x) (x)
#endif

static double a[VALUES + 1], p[ROWS + 2], q[ROWS + 2];
static int columns[VALUES + 1], first[ROWS + 2];

void init(void)
{
	for (int j = 0; j <= ROWS + 1; j++)
		first[j] = j * (VALUES / ROWS) > VALUES ? VALUES : j * (VALUES / ROWS);
	for (int k = 0; k <= VALUES; k++) {
		columns[k] = (int)(random_number() % ROWS);
		a[k] = 1.0 / (k + 1);
	}
	for (int i = 0; i < ROWS + 2; i++)
		p[i] = 1;
}

double kernel(void)
{
	for (int repeat = 0; repeat < 400; repeat++) {
		for (int j = 1; j < ROWS; j++) {
			double sum = 0;

			for (int k = first[j]; k < first[j + 1]; k++)
				sum = sum + a[A_INDEX(k)] * p[P_INDEX(columns[COLUMN_INDEX(k)])];
			q[j] = sum;
		}
		p[repeat] += 1e-9;
	}
	return q[7];
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "gap.h"

#include <math.h>

struct gap_table gap_table;

void gap_begin(uint64_t period)
{
	/* larger periods would not fit into the table */
	const double rate = period > 1 ? fmax(-log1p(-1 / (double)period), ldexp(1, -56)) : 1;
	const int steps = 1 << GAP_BITS;

	/* 64 powers of two must fit into 64 bits */
	gap_table.shift = 40;
	while (gap_table.shift && ldexp(log(2) / rate, (int)gap_table.shift) >= ldexp(1, 57))
		gap_table.shift--;
	for (int i = 0; i <= steps; i++)
		gap_table.log[i] =
			(uint64_t)ldexp(log1p((double)i / steps) / rate, (int)gap_table.shift);
}

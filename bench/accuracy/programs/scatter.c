/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stores values (64 MiB, in order) at random places of an array (64 MiB). The places come from an
 * index (32 MiB, in order). */
// object out -DOUT_MASK=63
// object values -DVALUE_MASK=63
// object places -DPLACE_MASK=63
#include "program.h"

enum { N = 1 << 23 };
#ifndef OUT_MASK
#define OUT_MASK (N - 1)
#endif
#ifndef VALUE_MASK
#define VALUE_MASK (N - 1)
#endif
#ifndef PLACE_MASK
#define PLACE_MASK (N - 1)
#endif

static double out[N], values[N];
static uint32_t places[N];

void init(void)
{
	for (int i = 0; i < N; i++) {
		values[i] = i;
		places[i] = random_number();
		out[i] = 0;
	}
}

double kernel(void)
{
	for (int repeat = 0; repeat < 20; repeat++)
		for (uint32_t i = 0; i < N; i++)
			out[MIX(places[i & PLACE_MASK], i) & OUT_MASK] = values[i & VALUE_MASK] * 2;
	return out[7];
}

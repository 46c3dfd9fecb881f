/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Filters a signal of 64 MiB recursively: each value depends on the two values before it, so it
 * waits for their arithmetic. Eight coefficients are used in turn. */
// held out
// object signal -DSIGNAL_MASK=511
// object coefficients -DLOCAL_AS_IT_IS
// object result -DRESULT_MASK=511
#include "program.h"

enum { SIGNAL = 1 << 23 };
#ifndef SIGNAL_MASK
#define SIGNAL_MASK (SIGNAL - 1)
#endif
#ifndef RESULT_MASK
#define RESULT_MASK (SIGNAL - 1)
#endif

static double *signal, *result, coefficients[8];

void init(void)
{
	signal = malloc(SIGNAL * sizeof(*signal));
	result = malloc(SIGNAL * sizeof(*result));
	for (int i = 0; i < SIGNAL; i++)
		signal[i] = result[i] = random_number() / 4e9;
	for (int i = 0; i < 8; i++)
		coefficients[i] = 0.1 + i * 0.05;
}

double kernel(void)
{
	double one = 0, two = 0;

	for (int repeat = 0; repeat < 24; repeat++)
		for (uint32_t i = 0; i < SIGNAL; i++) {
			double y = signal[i & SIGNAL_MASK] - coefficients[i & 7] * one + 0.3 * two;

			two = one;
			one = y;
			result[i & RESULT_MASK] = y;
		}
	return one;
}

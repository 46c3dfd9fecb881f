/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Draws the distances between samples: numbers with a geometric distribution, so that each access
 * is sampled with the same probability 1 / period.
 *
 * If u is evenly distributed in (0, 1), such a number is 1 + the integer part of log(u) / log(1 - 1
 * / period). The logarithm is taken from a table, and between its entries by linear interpolation
 * (error: 2e-6), because as/fast.c may not compute with floating-point numbers.
 */
#ifndef MEMDB_ACCESS_GAP_H
#define MEMDB_ACCESS_GAP_H

#include <stdint.h>

#define GAP_BITS 8 /* the table has 2^GAP_BITS steps for each power of two */

/* log(1 + i / 2^GAP_BITS) / -log(1 - 1 / period), multiplied by 2^shift */
struct gap_table {
	uint64_t log[(1 << GAP_BITS) + 1];
	unsigned shift;
};

extern struct gap_table gap_table;

/* Fills the table. Must be called before gap_next(). */
void gap_begin(uint64_t period);

/* Returns the next distance, at least 1. *random is the state of the random numbers (xorshift64),
 * not 0. */
static inline uint64_t gap_next(uint64_t *random)
{
	const struct gap_table *g = &gap_table;
	uint64_t r = *random, x, log;
	unsigned zeros, i;

	r ^= r << 13;
	r ^= r >> 7;
	r ^= r << 17;
	*random = r;
	/* u = r / 2^64 = x * 2^-(zeros + 1), where x, with 63 fractional bits, is in [1, 2) */
	zeros = (unsigned)__builtin_clzll(r);
	x = r << zeros << 1;
	i = (unsigned)(x >> (64 - GAP_BITS));
	log = g->log[i] +
	      (uint64_t)((unsigned __int128)(g->log[i + 1] - g->log[i]) * (x << GAP_BITS) >> 64);
	return (((zeros + 1) * g->log[1 << GAP_BITS] - log) >> g->shift) + 1;
}

#endif

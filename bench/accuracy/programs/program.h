/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the programs share. Each has init() and kernel(); main.c times kernel() alone.
 *
 * Lines that begin with "// object NAME SWITCH [GLOB]..." say which objects it has: with the
 * compiler option SWITCH all accesses to NAME stay in a few cache lines, and nothing else changes:
 * the CPU time saved is what NAME cost. The database calls the object GLOB (NAME where there is
 * none). A line "// options OPTION..." has what the compiler needs besides.
 */
#ifndef ACCURACY_PROGRAM_H
#define ACCURACY_PROGRAM_H

#include <stdint.h>
#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

void init(void);
double kernel(void); /* a result that depends on all it read */

#ifdef __cplusplus
}
#endif

/* A generator of its own, so that all machines get the same numbers. */
static uint64_t random_state = 1;
static inline uint32_t random_number(void)
{
	random_state = random_state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(random_state >> 32);
}

/* A scattered place that depends on the value v, but stays scattered when all v are the same: so an
 * index array can be made local while what it points to is not. */
#define MIX(v, i) ((uint32_t)(v) ^ (uint32_t)(i)*0x9E3779B1u)

/* order[0..n): the numbers below n in random order. */
static inline void shuffle(uint32_t *order, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		order[i] = i;
	for (uint32_t i = n - 1; i; i--) {
		uint32_t j = random_number() % i, t = order[i];

		order[i] = order[j];
		order[j] = t;
	}
}

#endif

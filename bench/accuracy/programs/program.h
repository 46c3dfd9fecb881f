/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the benchmark programs share. Each program has init() and kernel(); main.c times only
 * kernel().
 *
 * A line "// object NAME SWITCH [GLOB]..." in a program describes one of its objects. The compiler
 * option SWITCH makes the object local: all accesses to it stay in a few cache lines, which are
 * always in the first-level cache, and nothing else changes. So the CPU time that the switch saves
 * is the cost of the object. If an object is always local, its switch LOCAL_AS_IT_IS does nothing.
 * The globs match the names of the object in the database (default: NAME).
 *
 * A line "// options OPTION..." has further compiler options. A line "// held out" marks a program
 * to which memdb's rules must not be fitted (see the script accuracy).
 *
 * The heading of a program has the sizes of its objects. An object is used "in order" if its
 * elements are accessed one after the other, and "at random" if they are accessed in an order that
 * no prefetcher can predict.
 */
#ifndef ACCURACY_PROGRAM_H
#define ACCURACY_PROGRAM_H

#include <stdint.h>
#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

void init(void);
double kernel(void); /* returns a result that depends on all values that it read */

#ifdef __cplusplus
}
#endif

/* Returns a pseudo-random number. The sequence is the same on all machines. */
static uint64_t random_state = 1;
static inline uint32_t random_number(void)
{
	random_state = random_state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(random_state >> 32);
}

/* Mixes the value v with the counter i, so the result is scattered even if v is always the same. If
 * v comes from an index array, the array can be local while the accesses at its indexes are not. */
#define MIX(v, i) ((uint32_t)(v) ^ (uint32_t)(i)*0x9E3779B1u)

/* Sets order[0..n) to the numbers below n in random order. */
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

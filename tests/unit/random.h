/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Random numbers for tests: the same in every run. */
#ifndef MEMDB_TESTS_RANDOM_H
#define MEMDB_TESTS_RANDOM_H

#include <stdint.h>

/* Computes the next random number from the state, stores it as the new state and returns it (the
 * linear congruential generator of Knuth's MMIX). Its low bits are hardly random, so callers shift
 * the number to the right. */
static inline uint64_t random_next(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return *state;
}

#endif

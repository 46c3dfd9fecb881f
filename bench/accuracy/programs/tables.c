/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads three tables of 8, 32 and 128 MiB together, at random places that are computed from a
 * counter, so no access depends on a value that was read. */
// held out
// object small -DSMALL_MASK=63
// object middle -DMIDDLE_MASK=63
// object large -DLARGE_MASK=63
#include "program.h"

enum { SMALL = 1 << 20, MIDDLE = 1 << 22, LARGE = 1 << 24, LOOKS = 1 << 25 };
#ifndef SMALL_MASK
#define SMALL_MASK (SMALL - 1)
#endif
#ifndef MIDDLE_MASK
#define MIDDLE_MASK (MIDDLE - 1)
#endif
#ifndef LARGE_MASK
#define LARGE_MASK (LARGE - 1)
#endif

static uint64_t small[SMALL], middle[MIDDLE], large[LARGE];

void init(void)
{
	for (int i = 0; i < SMALL; i++)
		small[i] = random_number();
	for (int i = 0; i < MIDDLE; i++)
		middle[i] = random_number();
	for (int i = 0; i < LARGE; i++)
		large[i] = random_number();
}

double kernel(void)
{
	uint64_t sum = 0;

	for (uint64_t i = 0; i < LOOKS; i++) {
		uint64_t hash = (i + 1) * 0x9E3779B97F4A7C15u;

		hash ^= hash >> 29;
		sum += small[hash & SMALL_MASK] ^ middle[(hash >> 20) & MIDDLE_MASK];
		sum += large[(hash >> 36) & LARGE_MASK];
	}
	return (double)sum;
}

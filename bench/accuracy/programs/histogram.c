/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Position-independent code: for each reading (32 MiB, in order), looks up a limit (32 KiB) and
 * increments a bin (64 MiB, at random). */
// options -fPIE -pie
// object bins -DBIN_MASK=63
// object readings -DREADING_MASK=63
// object limits -DLIMIT_MASK=7
#include "program.h"

enum { BINS = 1 << 24, READINGS = 1 << 23, LIMITS = 1 << 13 };
#ifndef BIN_MASK
#define BIN_MASK (BINS - 1)
#endif
#ifndef READING_MASK
#define READING_MASK (READINGS - 1)
#endif
#ifndef LIMIT_MASK
#define LIMIT_MASK (LIMITS - 1)
#endif

static uint32_t bins[BINS], readings[READINGS], limits[LIMITS];

void init(void)
{
	for (int i = 0; i < BINS; i++)
		bins[i] = 0;
	for (int i = 0; i < READINGS; i++)
		readings[i] = random_number();
	for (int i = 0; i < LIMITS; i++)
		limits[i] = random_number();
}

double kernel(void)
{
	for (int repeat = 0; repeat < 5; repeat++) {
		for (uint32_t i = 0; i < READINGS; i++) {
			uint32_t reading = MIX(readings[i & READING_MASK], i);

			bins[(reading ^ limits[reading >> 8 & LIMIT_MASK]) & BIN_MASK]++;
		}
	}
	return bins[7];
}

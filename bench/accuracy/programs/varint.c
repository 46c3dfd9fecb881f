/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads numbers of 1 to 4 bytes from a stream of 24 MiB, without a branch. The place where a number
 * begins depends on the number before. Each number is looked up in a table (16 MiB, at random). */
// held out
// object packed -DPACKED_MASK=255
// object table -DTABLE_MASK=63
#include "program.h"

#include <string.h>

enum { BYTES = 3 << 23, TABLE = 1 << 21, NUMBERS = 9000000 };
#ifndef PACKED_MASK
#define PACKED_MASK UINT32_MAX
#endif
#ifndef TABLE_MASK
#define TABLE_MASK (TABLE - 1)
#endif

static uint8_t packed[BYTES + 8];
static uint64_t table[TABLE];

void init(void)
{
	for (int i = 0; i < BYTES; i++)
		packed[i] = (uint8_t)random_number();
	for (int i = 0; i < TABLE; i++)
		table[i] = (uint64_t)i;
}

double kernel(void)
{
	uint64_t sum = 0;

	for (uint32_t repeat = 0; repeat < 3; repeat++) {
		uint32_t at = 0;

		for (uint32_t i = 0; i < NUMBERS; i++) {
			uint32_t word, bytes;

			memcpy(&word, &packed[at & PACKED_MASK], sizeof(word));
			bytes = 1 + ((word ^ i) & 3);
			word &= 0xffffffffu >> (32 - 8 * bytes);
			sum += table[MIX(word, i) & TABLE_MASK];
			at += bytes;
		}
	}
	return (double)sum;
}

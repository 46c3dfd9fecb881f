/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decodes codes of 1 to 8 bits from a stream of 16 MiB with a table of 2 KiB. The place where a
 * code begins depends on the code before. Each code increments one of 64 Ki counters (256 KiB). */
// held out
// object bits -DBIT_MASK=255
// object codes -DLOCAL_AS_IT_IS
// object counts -DCOUNT_MASK=255
#include "program.h"

#include <string.h>

enum { BYTES = 1 << 24, COUNTS = 1 << 16 };
#ifndef BIT_MASK
#define BIT_MASK (BYTES - 1)
#endif
#ifndef COUNT_MASK
#define COUNT_MASK (COUNTS - 1)
#endif

struct code {
	uint32_t symbol;
	uint32_t bits;
};
static uint8_t bits[BYTES + 8];
static struct code codes[256];
static uint32_t counts[COUNTS];

void init(void)
{
	for (int i = 0; i < BYTES; i++)
		bits[i] = (uint8_t)random_number();
	for (uint32_t i = 0; i < 256; i++)
		codes[i] = (struct code){ i * 251, 1 + (i & 7) };
}

double kernel(void)
{
	uint64_t at = 0;
	uint32_t last = 0;

	for (uint32_t i = 0; i < 180000000; i++) {
		const struct code *c;
		uint32_t word;

		memcpy(&word, &bits[(at >> 3) & BIT_MASK], sizeof(word));
		c = &codes[(word >> (at & 7) ^ i) & 255];
		last = last * 5 + c->symbol;
		counts[last & COUNT_MASK]++;
		at += c->bits;
	}
	return counts[7];
}

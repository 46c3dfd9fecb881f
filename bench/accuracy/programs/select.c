/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Looks up half of the keys (64 MiB, in order) in a table (16 MiB, at random). Which keys is
 * random, so half of the jumps are mispredicted. */
// object keys -DKEY_MASK=63
// object table -DTABLE_MASK=63
#include "program.h"

enum { KEYS = 1 << 24, TABLE = 1 << 21 };
#ifndef KEY_MASK
#define KEY_MASK (KEYS - 1)
#endif
#ifndef TABLE_MASK
#define TABLE_MASK (TABLE - 1)
#endif

static uint32_t *keys;
static double *table;

void init(void)
{
	keys = malloc(KEYS * sizeof(*keys));
	table = malloc(TABLE * sizeof(*table));
	for (int i = 0; i < KEYS; i++)
		keys[i] = random_number();
	for (int i = 0; i < TABLE; i++)
		table[i] = i;
}

/* Returns a number that no jump predictor can guess from v. */
static inline uint32_t scramble(uint32_t v)
{
	v *= 0x9E3779B1u;
	v ^= v >> 15;
	v *= 0x85ebca6bu;
	return v ^ v >> 13;
}

double kernel(void)
{
	double sum = 0;

	for (uint32_t i = 0; i < 4 * KEYS; i++) {
		uint32_t key = scramble(keys[i & KEY_MASK] ^ i);

		if (key >> 31)
			sum += table[key & TABLE_MASK];
	}
	return sum;
}

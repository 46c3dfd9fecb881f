/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests keys (32 MiB, in order) against three bits of a filter (16 MiB, at random). For a key that
 * passes, about one in eight, reads the key's row (128 MiB, at random). */
// held out
// object keys -DKEY_MASK=63
// object filter -DFILTER_MASK=63
// object rows -DROW_MASK=63
#include "program.h"

enum { KEYS = 1 << 22, WORDS = 1 << 21, ROWS = 1 << 21 };
#ifndef KEY_MASK
#define KEY_MASK (KEYS - 1)
#endif
#ifndef FILTER_MASK
#define FILTER_MASK (WORDS - 1)
#endif
#ifndef ROW_MASK
#define ROW_MASK (ROWS - 1)
#endif

struct row {
	uint64_t value, more[7];
};
static uint64_t *keys, *filter;
static struct row *rows;

void init(void)
{
	keys = malloc(KEYS * sizeof(*keys));
	filter = malloc(WORDS * sizeof(*filter));
	rows = malloc(ROWS * sizeof(*rows));
	for (int i = 0; i < KEYS; i++)
		keys[i] = random_number();
	for (int i = 0; i < WORDS; i++)
		filter[i] = (uint64_t)random_number() << 32 | random_number();
	for (int i = 0; i < ROWS; i++)
		rows[i] = (struct row){ 1, { 0 } };
}

static int is_set(uint64_t hash)
{
	return filter[(hash >> 6) & FILTER_MASK] >> (hash & 63) & 1;
}

double kernel(void)
{
	uint64_t sum = 0;

	for (uint64_t i = 0; i < 4 * KEYS; i++) {
		uint64_t hash = (keys[i & KEY_MASK] + i) * 0x9E3779B97F4A7C15u;

		if (is_set(hash >> 3) & is_set(hash >> 17) & is_set(hash >> 31))
			sum += rows[(hash >> 40) & ROW_MASK].value;
	}
	return (double)sum;
}

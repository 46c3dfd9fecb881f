/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Goes through the keys of a std::vector (64 MiB, in order), and appends the prices (128 MiB, at
 * random) of a random half of them to another std::vector (128 MiB, in order). */
// held out
// object keys -DKEY_MASK=63
// object prices -DPRICE_MASK=63
// object found -DFOUND_MASK=63
#include <vector>

#include "program.h"

enum { KEYS = 1 << 24, PRICES = 1 << 24, FOUND = 1 << 24 };
#ifndef KEY_MASK
#define KEY_MASK (KEYS - 1)
#endif
#ifndef PRICE_MASK
#define PRICE_MASK (PRICES - 1)
#endif
#ifndef FOUND_MASK
#define FOUND_MASK (FOUND - 1)
#endif

static std::vector<uint32_t> keys;
static std::vector<double> prices, found;

void init()
{
	keys.resize(KEYS);
	prices.resize(PRICES, 1.0);
	found.resize(FOUND);
	for (auto &k : keys)
		k = random_number();
}

double kernel()
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < 2 * KEYS; i++) {
		uint32_t key = MIX(keys[i & KEY_MASK], i) * 0x85ebca6bu;

		key ^= key >> 13;
		if (key & 1 << 30)
			continue;
		found[n++ & FOUND_MASK] = prices[(key ^ key << 7) & PRICE_MASK];
	}
	return found[5] + n;
}

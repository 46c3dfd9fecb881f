/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Searches keys (16 MiB, in order) in a std::unordered_map with a million entries. For each entry
 * found, reads a price from a vector (64 MiB, at random). If `table` is local, only 64 of its keys
 * are searched. */
// object table -DTABLE_MASK=63 table*
// object keys -DKEY_MASK=63
// object prices -DPRICE_MASK=63
#include <unordered_map>
#include <vector>

#include "program.h"

enum { ENTRIES = 1 << 20, KEYS = 1 << 22, PRICES = 1 << 23 };
#ifndef TABLE_MASK
#define TABLE_MASK (ENTRIES - 1)
#endif
#ifndef KEY_MASK
#define KEY_MASK (KEYS - 1)
#endif
#ifndef PRICE_MASK
#define PRICE_MASK (PRICES - 1)
#endif

static std::unordered_map<uint32_t, uint32_t> table;
static std::vector<uint32_t> keys;
static std::vector<double> prices;

void init(void)
{
	std::vector<uint32_t> order(ENTRIES);

	shuffle(order.data(), ENTRIES);
	for (uint32_t key : order)
		table[key] = random_number();
	keys.resize(KEYS);
	for (uint32_t &key : keys)
		key = random_number();
	prices.resize(PRICES, 1);
}

__attribute__((flatten)) double kernel(void)
{
	double sum = 0;

	for (int repeat = 0; repeat < 4; repeat++) {
		for (uint32_t i = 0; i < KEYS; i++) {
			auto found = table.find(MIX(keys[i & KEY_MASK], i) & TABLE_MASK);

			sum += prices[MIX(found->second, i) & PRICE_MASK];
		}
	}
	return sum;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Follows a vector of pointers to small heap blocks (64 MiB), which are in random order. Each block
 * has a key, whose weight is looked up (32 MiB, at random). */
// object items -DITEM_MASK=63 *item* new*
// object weights -DWEIGHT_MASK=63
#include <vector>

#include "program.h"

enum { N = 1 << 20, WEIGHTS = 1 << 22 };
#ifndef ITEM_MASK
#define ITEM_MASK (N - 1)
#endif
#ifndef WEIGHT_MASK
#define WEIGHT_MASK (WEIGHTS - 1)
#endif

struct item_data {
	uint32_t key, count;
	double sum[5];
};
static std::vector<item_data *> pointers;
static std::vector<double> weights;

void init(void)
{
	std::vector<item_data *> items(N);
	std::vector<uint32_t> order(N);

	shuffle(order.data(), N);
	for (item_data *&item : items)
		item = new item_data();
	pointers.resize(N);
	for (uint32_t i = 0; i < N; i++) {
		items[i]->key = random_number();
		pointers[i] = items[order[i & ITEM_MASK]];
	}
	weights.resize(WEIGHTS, 1);
}

double kernel(void)
{
	double sum = 0;

	for (uint32_t i = 0; i < 32 * N; i++) {
		item_data *item = pointers[i & (N - 1)];

		item->count++;
		sum += weights[MIX(item->key, i) & WEIGHT_MASK];
	}
	return sum;
}

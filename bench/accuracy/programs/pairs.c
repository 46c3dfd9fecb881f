/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Two threads do the same work: they take items (32 MiB, in order), read the item's price in a
 * common table (64 MiB, at random), and add it up in their own table (16 MiB each, at random). */
// held out
// options -pthread
// object items -DITEM_MASK=63
// object prices -DPRICE_MASK=63
// object totals -DTOTAL_MASK=63 totals totals[0] totals[1] totals[[]*
#include <pthread.h>

#include "program.h"

enum { ITEMS = 1 << 23, PRICES = 1 << 23, TOTALS = 1 << 21 };
#ifndef ITEM_MASK
#define ITEM_MASK (ITEMS - 1)
#endif
#ifndef PRICE_MASK
#define PRICE_MASK (PRICES - 1)
#endif
#ifndef TOTAL_MASK
#define TOTAL_MASK (TOTALS - 1)
#endif

static uint32_t *items;
static double *prices, totals[2][TOTALS];

void init(void)
{
	items = malloc(ITEMS * sizeof(*items));
	prices = malloc(PRICES * sizeof(*prices));
	for (int i = 0; i < ITEMS; i++)
		items[i] = random_number();
	for (int i = 0; i < PRICES; i++)
		prices[i] = 1;
	for (int i = 0; i < TOTALS; i++)
		totals[0][i] = totals[1][i] = 0;
}

static void *kernel_sum(void *own)
{
	double *total = own;

	for (uint32_t i = 0; i < 2 * ITEMS; i++) {
		uint32_t item = MIX(items[i & ITEM_MASK], i);
		double price = prices[item & PRICE_MASK];

		total[(item ^ item >> 8) & TOTAL_MASK] += price;
	}
	return own;
}

double kernel(void)
{
	pthread_t other;

	pthread_create(&other, NULL, kernel_sum, totals[1]);
	kernel_sum(totals[0]);
	pthread_join(other, NULL);
	return totals[0][7] + totals[1][9];
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Follows pointers (32 MiB, in order) to customers (64 MiB, at random), and from each customer to
 * its tariff (1 MiB, at random). The load of the second pointer overwrites the first one. If
 * customers are local, so are tariffs, because the few customers have few of them. */
// object customers -DCUSTOMER_MASK=15
// object tariffs -DTARIFF_MASK=15
#include "program.h"

enum { ORDER = 1 << 22, CUSTOMERS = 1 << 20, TARIFFS = 1 << 16 };
#ifndef CUSTOMER_MASK
#define CUSTOMER_MASK (CUSTOMERS - 1)
#endif
#ifndef TARIFF_MASK
#define TARIFF_MASK (TARIFFS - 1)
#endif

struct tariff {
	double price, tax;
};

struct customer {
	struct tariff *tariff;
	char name[56];
};

static struct customer **order, *customers;
static struct tariff *tariffs;

void init(void)
{
	order = malloc(ORDER * sizeof(*order));
	customers = calloc(CUSTOMERS, sizeof(*customers));
	tariffs = malloc(TARIFFS * sizeof(*tariffs));
	for (int i = 0; i < TARIFFS; i++)
		tariffs[i] = (struct tariff){ i, 1 };
	for (int i = 0; i < CUSTOMERS; i++)
		customers[i].tariff = &tariffs[random_number() & TARIFF_MASK];
	for (int i = 0; i < ORDER; i++)
		order[i] = &customers[random_number() & CUSTOMER_MASK];
}

double kernel(void)
{
	double sum = 0;

	for (int i = 0; i < 8 * ORDER; i++) {
		const struct tariff *t = order[i & (ORDER - 1)]->tariff;

		sum += t->price * t->tax;
	}
	return sum;
}

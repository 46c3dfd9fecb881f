/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Goes through a std::vector of orders (64 MiB, in order), and looks at the customer of an open
 * order (128 MiB, at random): if his limit is not reached, counts the order for his region (256
 * KiB). Both jumps are random, also if an object is local. */
// held out
// object orders -DORDER_MASK=63
// object customers -DCUSTOMER_MASK=63
// object regions -DREGION_MASK=7
#include <vector>

#include "program.h"

enum { ORDERS = 1 << 22, CUSTOMERS = 1 << 21, REGIONS = 1 << 16 };
#ifndef ORDER_MASK
#define ORDER_MASK (ORDERS - 1)
#endif
#ifndef CUSTOMER_MASK
#define CUSTOMER_MASK (CUSTOMERS - 1)
#endif
#ifndef REGION_MASK
#define REGION_MASK (REGIONS - 1)
#endif

struct order {
	uint32_t customer, state;
	double amount;
};
struct customer {
	uint32_t limit, region;
	uint64_t more[7];
};

static std::vector<order> orders;
static std::vector<customer> customers;
static std::vector<uint32_t> regions;

void init()
{
	orders.resize(ORDERS);
	customers.resize(CUSTOMERS);
	regions.resize(REGIONS);
	for (auto &o : orders)
		o = order{ random_number(), random_number(), 1 };
	for (auto &c : customers)
		c = customer{ random_number(), random_number(), {} };
}

// Returns a number that no jump predictor can guess from v.
static inline uint32_t scramble(uint32_t v)
{
	v *= 0x9E3779B1u;
	v ^= v >> 15;
	v *= 0x85ebca6bu;
	return v ^ v >> 13;
}

double kernel()
{
	double sum = 0;

	for (uint32_t i = 0; i < 6 * ORDERS; i++) {
		const order &o = orders[i & ORDER_MASK];
		uint32_t mixed = scramble(o.customer ^ i);

		if (scramble(o.state + i) >> 30 == 0)
			continue;
		const customer &c = customers[mixed & CUSTOMER_MASK];
		if (scramble(c.limit + mixed) >> 31)
			continue;
		regions[MIX(c.region, i) & REGION_MASK]++;
		sum += o.amount;
	}
	return sum + regions[3];
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prices and volumes of 32 Ki products, with a record of 320 days for each (80 MiB each vector).
 * Adds up one day of all products: where the price of the day is above a limit, the volume times
 * the rate of the product's region (16 MiB, at random). */
// held out
// object prices -DPRICE_STEP=0
// object volumes -DVOLUME_STEP=0
// object rates -DRATE_MASK=63
#include <vector>

#include "program.h"

enum { PRODUCTS = 1 << 15, DAYS = 320, RATES = 1 << 21 };
#ifndef PRICE_STEP
#define PRICE_STEP 1
#endif
#ifndef VOLUME_STEP
#define VOLUME_STEP 1
#endif
#ifndef RATE_MASK
#define RATE_MASK (RATES - 1)
#endif

struct record {
	double day[DAYS];
};

static std::vector<record> prices, volumes;
static std::vector<double> rates;

/* Volatile, so the compiler makes the same code whether or not all records are the first one. */
static volatile size_t price_step = PRICE_STEP, volume_step = VOLUME_STEP;

void init()
{
	prices.resize(PRODUCTS);
	volumes.resize(PRODUCTS);
	rates.resize(RATES);
	for (uint32_t i = 0; i < PRODUCTS; i++)
		for (uint32_t d = 0; d < DAYS; d++) {
			prices[i].day[d] = 100;
			volumes[i].day[d] = 3;
		}
	for (uint32_t i = 0; i < RATES; i++)
		rates[i] = 1 + i % 7;
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
	const size_t to_price = price_step, to_volume = volume_step;

	for (uint32_t repeat = 0; repeat < 2; repeat++)
		for (uint32_t d = 0; d < DAYS; d++)
			for (uint32_t i = 0; i < PRODUCTS; i++) {
				uint32_t mixed = scramble((repeat * DAYS + d) * PRODUCTS + i);

				if (prices[i * to_price].day[d] > (mixed & 1 ? 50 : 150))
					sum += volumes[i * to_volume].day[d] *
					       rates[mixed >> 9 & RATE_MASK];
			}
	return sum;
}

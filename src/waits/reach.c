/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "waits/reach.h"

#include <math.h>

enum { WORD = 8, STEPS = 16 };

/* Cycles for which an access is expected to wait if it hits the first level. */
#define HIT 0.5

/* Number of iterations after which the loop has certainly touched all its cache lines. */
#define FOREVER 1e12

const struct wait_caches wait_caches_default = {
	.level = { { 48 << 10, 4 }, { 1 << 20, 14 }, { 32 << 20, 50 } },
	.memory = 400,
};

/* The last level consists of slices all over the chip. A larger cache has a longer way to a slice,
 * and holds more pages whose translations are not cached. So a cache of 32 MiB answers in about 50
 * cycles, one of 480 MiB in about 200. */
static double last_level_cycles(uint64_t bytes)
{
	const double usual = (double)wait_caches_default.level[CACHE_LEVELS - 1].bytes;
	const double cycles = wait_caches_default.level[CACHE_LEVELS - 1].cycles;

	return fmin(cycles * sqrt(fmax(1, (double)bytes / usual)), wait_caches_default.memory);
}

bool wait_caches_set(struct wait_caches *c, const uint64_t bytes[CACHE_LEVELS])
{
	uint64_t most = 0;

	if (!bytes[0])
		return false;
	for (int i = 0; i < CACHE_LEVELS; i++) {
		most = bytes[i] > most ? bytes[i] : most;
		c->level[i].bytes = most;
	}
	c->level[CACHE_LEVELS - 1].cycles = last_level_cycles(most);
	return true;
}

bool reach_same_part(const struct reach_access *a, const struct reach_access *b)
{
	const uint64_t low = a->low > b->low ? a->low : b->low;
	const uint64_t high = a->high < b->high ? a->high : b->high;
	const uint64_t one = a->high - a->low, other = b->high - b->low;

	if (!a->high || !b->high || a->thread != b->thread)
		return true;
	return low <= high && high - low >= (one < other ? one : other) / 2;
}

static double word_of(const struct reach_access *a)
{
	return a->bytes ? a->bytes : WORD;
}

/* Returns how many lines in random order the access touches in this number of iterations, compared
 * with the number of its lines. */
static double passes_of(const struct reach_access *a, double turns)
{
	return turns * (a->elements ? a->elements : 1) / fmax(a->footprint / CACHE_LINE, 1);
}

/* Returns how many distinct cache lines an access touches in `turns` iterations. */
static double lines_touched(const struct reach_access *a, double turns)
{
	double lines = fmax(a->footprint / CACHE_LINE, 1);

	if (a->in_order)
		return fmin(lines, turns * word_of(a) / CACHE_LINE);
	return -lines * expm1(-passes_of(a, turns));
}

static double touched_by_all(const struct reach_access *a, unsigned n, double turns)
{
	double lines = 0;

	for (unsigned i = 0; i < n; i++)
		lines += lines_touched(&a[i], turns);
	return lines;
}

void reach_find(const struct reach_access *a, unsigned n, const struct wait_caches *c,
		double reach[CACHE_LEVELS])
{
	for (int i = 0; i < CACHE_LEVELS; i++) {
		double room = (double)c->level[i].bytes / CACHE_LINE, low = 1, high = FOREVER;

		reach[i] = INFINITY;
		if (touched_by_all(a, n, high) <= room)
			continue;
		for (int step = 0; step < STEPS; step++) {
			double middle = sqrt(low * high);

			if (touched_by_all(a, n, middle) < room)
				low = middle;
			else
				high = middle;
		}
		reach[i] = low;
	}
}

/* Returns the expected wait of a prefetched access, in cycles: the time to transfer its bytes. */
static double wait_in_order(const struct reach_access *a, const struct wait_caches *c)
{
	static const double word[CACHE_LEVELS + 1] = { 0, 4, 6, 10 };
	int level = 0;

	while (level < CACHE_LEVELS && a->footprint >= (double)c->level[level].bytes)
		level++;
	return level ? word_of(a) / WORD * word[level] : HIT;
}

/* Returns the probability that the access misses a cache level, because its lines have been
 * evicted: from the level and all levels before it. */
static double missed(const struct reach_access *a, const float *fetched, int level,
		     const double reach[CACHE_LEVELS], const struct wait_caches *c)
{
	const double evicted = a->in_order ? a->footprint >= (double)c->level[level].bytes
					   : exp(-passes_of(a, reach[level]));

	return fmin((double)fetched[level], evicted);
}

double reach_fetches(const struct reach_access *a, const float fetched[CACHE_LEVELS],
		     const double reach[CACHE_LEVELS], const struct wait_caches *c)
{
	double cycles = 0, left = missed(a, fetched, 0, reach, c);

	for (int i = 1; i <= CACHE_LEVELS; i++) {
		double beyond = i < CACHE_LEVELS ? fmin(left, missed(a, fetched, i, reach, c)) : 0;

		cycles += (left - beyond) * (i < CACHE_LEVELS ? c->level[i].cycles : c->memory);
		left = beyond;
	}
	return cycles;
}

static double wait_scattered(const struct reach_access *a, const double reach[CACHE_LEVELS],
			     const struct wait_caches *c)
{
	double served = 0, cycles = 0;

	for (int i = 0; i <= CACHE_LEVELS; i++) {
		double hits = i < CACHE_LEVELS ? -expm1(-passes_of(a, reach[i])) : 1;
		double share = hits - served;

		if (share <= 0)
			continue;
		cycles += share * (i < CACHE_LEVELS ? c->level[i].cycles : c->memory);
		served += share;
	}
	return cycles - c->level[0].cycles + HIT;
}

double reach_wait(const struct reach_access *a, const double reach[CACHE_LEVELS],
		  const struct wait_caches *c)
{
	const double wait = a->in_order ? wait_in_order(a, c) : wait_scattered(a, reach, c);

	return a->fetched ? fmin(wait, HIT + reach_fetches(a, a->fetched->most, reach, c)) : wait;
}

bool reach_is_stream(const struct reach_access *a, const struct wait_caches *c)
{
	if (a->fetched && (double)a->fetched->most[1] * CACHE_LINE < word_of(a) / 2)
		return false;
	return a->in_order && a->footprint > (double)c->level[1].bytes;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Repeats one pass of a radix sort: moves pairs of key and value (64 MiB, in order) to 2048 buckets
 * of another array (64 MiB). */
// held out
// object from -DFROM_MASK=63
// object to -DTO_MASK=63
// object ends -DEND_MASK=7
#include "program.h"

enum { N = 1 << 23, BITS = 11, BUCKETS = 1 << BITS };
#ifndef FROM_MASK
#define FROM_MASK (N - 1)
#endif
#ifndef TO_MASK
#define TO_MASK (N - 1)
#endif
#ifndef END_MASK
#define END_MASK (BUCKETS - 1)
#endif

struct pair {
	uint32_t key, value;
};
static struct pair *from, *to;
static uint32_t *ends;

void init(void)
{
	from = malloc(N * sizeof(*from));
	to = malloc(N * sizeof(*to));
	ends = malloc(BUCKETS * sizeof(*ends));
	for (uint32_t i = 0; i < N; i++) {
		from[i] = (struct pair){ random_number(), i };
		to[i] = from[i];
	}
}

double kernel(void)
{
	for (uint32_t pass = 0; pass < 24; pass++) {
		for (uint32_t i = 0; i < BUCKETS; i++)
			ends[i] = i * (N / BUCKETS);
		for (uint32_t i = 0; i < N; i++) {
			struct pair p = from[i & FROM_MASK];
			uint32_t bucket = MIX(p.key, i * 40503u) >> (32 - BITS);
			uint32_t end = ends[bucket & END_MASK]++;

			/* The pair stays in its bucket, even if `ends` is local. */
			to[(bucket * (N / BUCKETS) + (end & (N / BUCKETS - 1))) & TO_MASK] = p;
		}
	}
	return to[7].key;
}

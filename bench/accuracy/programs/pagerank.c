/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Gathers ranks along the edges that enter a vertex, and scatters shares along the edges that leave
 * it. `rank`, `next` and `share` have 32 MiB each, `from` and `to` have 64 MiB each. */
// object rank -DRANK_MASK=63
// object next -DNEXT_MASK=63
// object from -DFROM_MASK=63
// object to -DTO_MASK=63
// object share -DSHARE_MASK=63
#include "program.h"

enum { VERTICES = 1 << 22, EDGES = 1 << 24 };
#ifndef RANK_MASK
#define RANK_MASK (VERTICES - 1)
#endif
#ifndef NEXT_MASK
#define NEXT_MASK (VERTICES - 1)
#endif
#ifndef FROM_MASK
#define FROM_MASK (EDGES - 1)
#endif
#ifndef TO_MASK
#define TO_MASK (EDGES - 1)
#endif
#ifndef SHARE_MASK
#define SHARE_MASK (VERTICES - 1)
#endif

static double rank[VERTICES], next[VERTICES], share[VERTICES];
static uint32_t from[EDGES], to[EDGES];

void init(void)
{
	for (int i = 0; i < EDGES; i++) {
		from[i] = random_number() % VERTICES;
		to[i] = random_number() % VERTICES;
	}
	for (int i = 0; i < VERTICES; i++) {
		rank[i] = 1;
		share[i] = .25;
	}
}

double kernel(void)
{
	for (int repeat = 0; repeat < 4; repeat++) {
		for (uint32_t v = 0; v < VERTICES; v++) {
			double sum = 0;

			for (uint32_t e = v * 4; e < v * 4 + 4; e++)
				sum += rank[MIX(from[e & FROM_MASK], e) & RANK_MASK];
			share[v & SHARE_MASK] = sum * .25;
		}
		for (uint32_t v = 0; v < VERTICES; v++) {
			double each = share[v & SHARE_MASK];

			for (uint32_t e = v * 4; e < v * 4 + 4; e++)
				next[MIX(to[e & TO_MASK], e) & NEXT_MASK] += each;
		}
	}
	return next[7];
}

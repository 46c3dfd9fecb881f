/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the roots of pairs of nodes (the first 32 MiB of 64 MiB, in order) in a forest of parents
 * (16 MiB), and adds up the sizes of their sets (16 MiB), which are stored at the roots. */
// held out
// object pairs -DPAIR_MASK=63
// object parents -DPARENT_MASK=63
// object sizes -DSIZE_MASK=63
#include "program.h"

enum { NODES = 1 << 22, PAIRS = 1 << 23 };
#ifndef PAIR_MASK
#define PAIR_MASK (PAIRS - 1)
#endif
#ifndef PARENT_MASK
#define PARENT_MASK (NODES - 1)
#endif
#ifndef SIZE_MASK
#define SIZE_MASK (NODES - 1)
#endif

struct pair {
	uint32_t a, b;
};
static struct pair *pairs;
static uint32_t *parents, *sizes;

void init(void)
{
	pairs = malloc(PAIRS * sizeof(*pairs));
	parents = malloc(NODES * sizeof(*parents));
	sizes = malloc(NODES * sizeof(*sizes));
	for (int i = 0; i < PAIRS; i++)
		pairs[i] = (struct pair){ random_number(), random_number() };
	for (uint32_t i = 0; i < NODES; i++) {
		/* Each node is at most two steps from its root. */
		parents[i] = i < NODES / 4 ? i : random_number() % (i / 2);
		sizes[i] = 1;
	}
}

static uint32_t root_of(uint32_t node)
{
	/* The number of steps is fixed, so the jumps are the same if `parents` is local. */
	for (int step = 0; step < 3; step++)
		node = MIX(parents[node & PARENT_MASK], node) & (NODES - 1);
	return node;
}

double kernel(void)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < PAIRS / 2; i++) {
		const struct pair *p = &pairs[i & PAIR_MASK];
		uint32_t a = root_of((p->a ^ i * 0x9E3779B1u) & (NODES - 1));
		uint32_t b = root_of((p->b ^ i * 0x85EBCA77u) & (NODES - 1));

		sum += sizes[a & SIZE_MASK] += sizes[b & SIZE_MASK] & 1;
	}
	return (double)sum;
}

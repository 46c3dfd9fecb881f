/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Walks two lists in random order, of 64 MiB and 8 MiB, by turns. The same instruction walks both
 * lists: mov (%rax),%rax. */
// object big -DBIG_MASK=63
// object small -DSMALL_MASK=63
#include "program.h"

enum { BIG = 1 << 22, SMALL = 1 << 19, STEPS = 1 << 20 };
#ifndef BIG_MASK
#define BIG_MASK (BIG - 1)
#endif
#ifndef SMALL_MASK
#define SMALL_MASK (SMALL - 1)
#endif

struct node {
	struct node *next;
	long unused;
};
static struct node big[BIG], small[SMALL];
static uint32_t order[BIG];

static void make_ring(struct node *node, uint32_t n)
{
	shuffle(order, n);
	for (uint32_t i = 0; i < n; i++)
		node[order[i]].next = &node[order[(i + 1) % n]];
}

void init(void)
{
	make_ring(big, BIG_MASK + 1);
	make_ring(small, SMALL_MASK + 1);
}

double kernel(void)
{
	struct node *list[2] = { big, small };

	for (int k = 0; k < 8; k++) {
		struct node *n = list[k & 1];

		for (int i = 0; i < STEPS; i++)
			n = n->next;
		list[k & 1] = n;
	}
	return (double)(list[0]->unused + list[1]->unused);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Walks a linked list in random order (64 MiB). For each node, reads a payload from an array (32
 * MiB, at random). */
// object nodes -DNODE_MASK=63
// object payload -DPAYLOAD_MASK=63
#include "program.h"

enum { NODES = 1 << 22, STEPS = 1 << 22 };
#ifndef NODE_MASK
#define NODE_MASK (NODES - 1)
#endif
#ifndef PAYLOAD_MASK
#define PAYLOAD_MASK (NODES - 1)
#endif

struct node {
	struct node *next;
	uint32_t index, flags;
};
static struct node nodes[NODES];
static double payload[NODES];
static uint32_t order[NODES];

void init(void)
{
	uint32_t n = NODE_MASK + 1;

	shuffle(order, n);
	for (uint32_t i = 0; i < n; i++) {
		nodes[order[i]].next = &nodes[order[(i + 1) % n]];
		nodes[order[i]].index = random_number();
	}
	for (int i = 0; i < NODES; i++)
		payload[i] = 1;
}

double kernel(void)
{
	const struct node *n = nodes;
	double sum = 0;

	for (uint32_t i = 0; i < STEPS; i++) {
		sum += payload[MIX(n->index, i) & PAYLOAD_MASK];
		n = n->next;
	}
	return sum + n->flags;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Searches keys in a binary tree of 20 levels (24 MiB). For each key found, reads a value from an
 * array (32 MiB, at random). */
// object nodes -DNODE_KEY(k)=((k)&63)*16384
// object keys -DKEY_MASK=63
// object values -DVALUE_MASK=63
#include "program.h"

enum { NODES = 1 << 20, VALUES = 1 << 22, KEYS = 1 << 20 };
#ifndef NODE_KEY
#define NODE_KEY(k) ((k) & (NODES - 1))
#endif
#ifndef KEY_MASK
#define KEY_MASK (KEYS - 1)
#endif
#ifndef VALUE_MASK
#define VALUE_MASK (VALUES - 1)
#endif

struct node {
	struct node *child[2];
	uint32_t key, id;
};
static struct node nodes[NODES], *root;
static double values[VALUES];
static uint32_t keys[KEYS], order[NODES];

static struct node *build(uint32_t low, uint32_t high)
{
	static uint32_t next;
	uint32_t middle = (low + high) / 2;
	struct node *n;

	if (low >= high)
		return NULL;
	n = &nodes[order[next++]];
	n->key = middle;
	n->id = random_number();
	n->child[0] = build(low, middle);
	n->child[1] = build(middle + 1, high);
	return n;
}

void init(void)
{
	shuffle(order, NODES);
	root = build(0, NODES);
	for (int i = 0; i < KEYS; i++)
		keys[i] = random_number();
	for (int i = 0; i < VALUES; i++)
		values[i] = 1;
}

double kernel(void)
{
	double sum = 0;

	for (uint32_t i = 0; i < KEYS; i++) {
		uint32_t key = NODE_KEY(MIX(keys[i & KEY_MASK], i)), id = 0;

		for (struct node *n = root; n; n = n->child[key > n->key])
			id = n->id;
		sum += values[MIX(id, i) & VALUE_MASK];
	}
	return sum;
}

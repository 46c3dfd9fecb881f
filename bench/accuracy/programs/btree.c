/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Searches keys in a B-tree on the heap whose nodes have two cache lines (64 MiB): a linear search
 * in one node of each of six levels. Then reads the key's record (64 MiB, at random). */
// held out
// object nodes -DNODE_MASK=31
// object records -DRECORD_MASK=63
// object queries -DQUERY_MASK=63
#include "program.h"

enum { FAN = 16, LEVELS = 6, NODES = 1 << 19, RECORDS = 1 << 23, QUERIES = 1 << 21 };
#ifndef NODE_MASK
#define NODE_MASK (NODES - 1)
#endif
#ifndef RECORD_MASK
#define RECORD_MASK (RECORDS - 1)
#endif
#ifndef QUERY_MASK
#define QUERY_MASK (QUERIES - 1)
#endif

struct node {
	uint32_t keys[FAN];
	uint32_t children[FAN];
};
static struct node *nodes;
static double *records;
static uint32_t *queries;

void init(void)
{
	nodes = malloc(NODES * sizeof(*nodes));
	records = malloc(RECORDS * sizeof(*records));
	queries = malloc(QUERIES * sizeof(*queries));
	for (int i = 0; i < NODES; i++)
		for (int k = 0; k < FAN; k++) {
			nodes[i].keys[k] = (uint32_t)(k + 1) << 28;
			nodes[i].children[k] = random_number();
		}
	for (int i = 0; i < RECORDS; i++)
		records[i] = 1;
	for (int i = 0; i < QUERIES; i++)
		queries[i] = random_number();
}

double kernel(void)
{
	double sum = 0;

	for (uint32_t i = 0; i < QUERIES; i++) {
		uint32_t key = MIX(queries[i & QUERY_MASK], i), at = 0;

		for (int level = 0; level < LEVELS; level++) {
			const struct node *n = &nodes[at & NODE_MASK];
			int k = 0;

			while (k < FAN - 1 && n->keys[k] < key)
				k++;
			key = key << 4 | key >> 28;
			at = MIX(n->children[k], key);
		}
		sum += records[at & RECORD_MASK];
	}
	return sum;
}

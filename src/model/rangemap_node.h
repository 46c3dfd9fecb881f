/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The nodes of a rangemap, for its own files. */
#ifndef MEMDB_MODEL_RANGEMAP_NODE_H
#define MEMDB_MODEL_RANGEMAP_NODE_H

#include "model/rangemap.h"

enum {
	FANOUT = 32,
	MAX_HEIGHT = 12, /* a node that is split in the middle of the map has 16 children or more */
};

/*
 * In an inner node keys[i] is a lower bound of every key below child[i].
 * Nodes are freed when they become empty and never merged, so a separator may be lower than the
 * first key of its child: a search that ends before a leaf's first key goes on to the leaf before.
 *
 * A node with one holder belongs to one map and is changed in place. A map changes a node only on
 * the way down from its root, so a node below a shared one is shared too. The owner is who put the
 * node there or changed it last: what lies below a node of another owner is that one's.
 */
struct rangemap_node {
	uint64_t refs; /* maps and inner nodes that hold it */
	uint32_t owner;
	uint32_t n;
	uint64_t
		keys[FANOUT]; /* those from n on are UINT64_MAX, so that a search needs no branch */
	union {
		uint32_t values[FANOUT]; /* a leaf ends here */
		struct rangemap_node *child[FANOUT];
	};
};

struct rangemap_node *rangemap_node_new(const struct rangemap *m, unsigned height);

/* Gives up one hold on x and, with the last one, what is below it. */
void rangemap_node_drop(const struct rangemap *m, struct rangemap_node *x, unsigned height);

/* Puts a copy in the place of the shared node at *at; NULL when out of memory. */
struct rangemap_node *rangemap_node_copy(struct rangemap *m, struct rangemap_node **at,
					 unsigned height);

/* The node at *at, which m holds alone from now on; NULL when out of memory. */
static inline struct rangemap_node *rangemap_node_own(struct rangemap *m, struct rangemap_node **at,
						      unsigned height)
{
	if ((*at)->refs > 1)
		return rangemap_node_copy(m, at, height);
	(*at)->owner = m->owner;
	return *at;
}

/* How many of a node's keys are ≤ key: first in steps of 8, then one by one. No compare waits for
 * another, and none is a branch that would be mispredicted every other time. */
static inline unsigned rangemap_upper(const struct rangemap_node *x, uint64_t key)
{
	const uint64_t *k = x->keys;
	unsigned i = 0;

	for (unsigned step = 7; step < FANOUT - 1; step += 8)
		i += k[step] <= key;
	k += i *= 8;
	for (unsigned step = 0; step < 8; step++)
		i += k[step] <= key;
	return i < x->n ? i : x->n;
}

/* The child of an inner node below which key belongs. */
static inline unsigned rangemap_child(const struct rangemap_node *x, uint64_t key)
{
	unsigned i = rangemap_upper(x, key);

	return i ? i - 1 : 0;
}

/* Takes [from, to) out of a node. */
void rangemap_node_remove(struct rangemap_node *x, unsigned height, unsigned from, unsigned to);

#endif

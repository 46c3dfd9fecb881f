/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The nodes of the tree, for rangemap.c and rangemap_share.c only. */
#ifndef MEMDB_MODEL_RANGEMAP_NODE_H
#define MEMDB_MODEL_RANGEMAP_NODE_H

#include <string.h>

#include "model/rangemap.h"

enum {
	FANOUT = 32,
	/* maximum number of levels. A node that was split in the middle of the map has at least 16
	 * children, so this is enough for 2^32 values */
	MAX_HEIGHT = 12,
};

/*
 * In an inner node keys[i] is a lower bound of every key below child[i]. Nodes are freed when they
 * become empty and are never merged, so this bound may be lower than the first key of its child. So
 * a search may end in a leaf whose first key is too great; then it goes on to the previous leaf.
 *
 * A node with one reference belongs to one map and is changed in place. A map changes a node only
 * on the way down from its root, so every node below a shared node counts as shared, too. `owner`
 * is the map that created the node or changed it last. If a map is not the owner of a node, it does
 * not own any node below it either.
 */
struct rangemap_node {
	uint32_t refs; /* number of maps and inner nodes that refer to this node */
	/* a counter that rangemap_share() increments when it shares the map with this root. Its
	 * first value has no meaning */
	uint32_t shares;
	uint32_t owner;
	uint32_t n;
	uint64_t keys[FANOUT]; /* UINT64_MAX from keys[n] on, so that a search can compare all
				* without a branch */
	union {
		uint32_t values[FANOUT]; /* a leaf is allocated only up to the end of `values` */
		struct rangemap_node *child[FANOUT];
	};
};

struct rangemap_node *rangemap_node_new(const struct rangemap *m, unsigned height);

/* Replaces the shared node at *at with a copy, and returns the copy. NULL means out of memory. */
struct rangemap_node *rangemap_node_copy(struct rangemap *m, struct rangemap_node **at,
					 unsigned height);

/* Returns the node at *at. If it is shared, first replaces it with a copy. NULL means out of
 * memory. */
static inline struct rangemap_node *rangemap_node_own(struct rangemap *m, struct rangemap_node **at,
						      unsigned height)
{
	if ((*at)->refs > 1)
		return rangemap_node_copy(m, at, height);
	(*at)->owner = m->owner;
	return *at;
}

/* Returns the number of keys of a node that are <= key. Compares every 8th key first, then the keys
 * between. The comparisons do not depend on each other, and there is no branch that the processor
 * would mispredict. */
static inline unsigned rangemap_upper(const struct rangemap_node *x, uint64_t key)
{
	const uint64_t *k = x->keys;
	unsigned i = 0;

#pragma GCC unroll 8
	for (unsigned step = 7; step < FANOUT - 1; step += 8)
		i += k[step] <= key;
	k += i *= 8;
#pragma GCC unroll 8
	for (unsigned step = 0; step < 8; step++)
		i += k[step] <= key;
	return i < x->n ? i : x->n;
}

/* Returns the index of the child to which key belongs. */
static inline unsigned rangemap_child(const struct rangemap_node *x, uint64_t key)
{
	unsigned i = rangemap_upper(x, key);

	return i ? i - 1 : 0;
}

/* Must be called when leaves are split, removed or copied, which makes hints invalid. */
static inline void rangemap_forget_hints(struct rangemap *m)
{
	if (m->hints)
		memset(m->hints, 0, RANGEMAP_HINTS * sizeof(*m->hints));
}

/* Removes entries [from, to) of a node. */
void rangemap_node_remove(struct rangemap_node *x, unsigned height, unsigned from, unsigned to);

#endif

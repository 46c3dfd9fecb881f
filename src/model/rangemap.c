/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Implements a B+ tree that maps addresses to numbers. The maps of a process and of its forked
 * children share tree nodes.
 *
 * A node has at most FANOUT keys, next to each other. Unused keys have the greatest value, so a
 * search compares all keys without a branch. Each node counts the references to it. Before a map
 * changes a node, it copies those nodes on the path from the root that other maps also refer to
 * (rangemap_share.c).
 *
 * Leaves are not linked with each other, because every copy would have to change the links. A
 * search finds the neighbour of a leaf through the path from the root.
 */
#include "model/rangemap.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "model/rangemap_node.h"

/* The path from the root to a leaf that will change. node[h] is the node at height h (0: the leaf);
 * at[h] is the index of the followed child in this node; at[0] is the number of keys in the leaf
 * that are not greater than the searched key. */
struct path {
	struct rangemap_node *node[MAX_HEIGHT + 1];
	unsigned at[MAX_HEIGHT + 1];
};

/* Finds this key. Returns false if it is missing. */
bool rangemap_get(const struct rangemap *m, uint64_t key, uint32_t *value)
{
	uint64_t at;

	return rangemap_le(m, key, &at, value) && at == key;
}

/* Stores key and value of entry i of a leaf, and returns true. at and value may be NULL. */
static bool get_entry(const struct rangemap_node *x, unsigned i, uint64_t *at, uint32_t *value)
{
	if (at)
		*at = x->keys[i];
	if (value)
		*value = x->values[i];
	return true;
}

/* Goes down to the leaf to which the key belongs. On the way, remembers the last node that has a
 * child to the left of the path. If the leaf has no key <= `key`, the result is the last key below
 * that child. */
bool rangemap_le(const struct rangemap *m, uint64_t key, uint64_t *at, uint32_t *value)
{
	const struct rangemap_node *x = m->root, *before = NULL;
	unsigned i, left = 0;

	if (!x)
		return false;
	for (unsigned h = m->height; h; h--) {
		i = rangemap_child(x, key);
		if (i) {
			before = x->child[i - 1];
			left = h - 1;
		}
		x = x->child[i];
	}
	i = rangemap_upper(x, key);
	if (i)
		return get_entry(x, i - 1, at, value);
	if (!before)
		return false;
	for (x = before; left; left--)
		x = x->child[x->n - 1];
	return get_entry(x, x->n - 1, at, value);
}

/* Mirror image of rangemap_le(): finds the smallest key >= `key`. */
bool rangemap_ge(const struct rangemap *m, uint64_t key, uint64_t *at, uint32_t *value)
{
	const struct rangemap_node *x = m->root, *after = NULL;
	unsigned i, right = 0;

	if (!x)
		return false;
	for (unsigned h = m->height; h; h--) {
		i = rangemap_child(x, key);
		if (i + 1 < x->n) {
			after = x->child[i + 1];
			right = h - 1;
		}
		x = x->child[i];
	}
	i = key ? rangemap_upper(x, key - 1) : 0;
	if (i < x->n)
		return get_entry(x, i, at, value);
	if (!after)
		return false;
	for (x = after; right; right--)
		x = x->child[0];
	return get_entry(x, 0, at, value);
}

static struct rangemap_hint *hint_of(struct rangemap *m, uint64_t key)
{
	return &m->hints[(key >> 12) * 0x9e3779b97f4a7c15u >> 58];
}

/* Returns the hint with the leaf to which the key belongs, or NULL. This map may change the leaf,
 * because no other map contains it. */
static const struct rangemap_hint *find_hint(struct rangemap *m, uint64_t key)
{
	const struct rangemap_hint *h = m->hints ? hint_of(m, key) : NULL;

	_Static_assert(RANGEMAP_HINTS == 1 << (64 - 58), "as hint_of() has it");
	return h && h->leaf && key >= h->low && key < h->after && m->root->shares == m->shares
		       ? h
		       : NULL;
}

/* Stores a hint for the leaf at the end of the path, to which the key belongs. Stores it only if
 * the previous search ended at the same leaf. No other map contains a node on the path. */
static void note_leaf(struct rangemap *m, uint64_t key, const struct path *path)
{
	struct rangemap_hint *h;

	if (!m->hints && m->hinted && m->height)
		m->hints = calloc(RANGEMAP_HINTS, sizeof(*m->hints));
	if (!m->hints)
		return;
	if (m->last != path->node[0]) {
		m->last = path->node[0];
		return;
	}
	if (m->shares != m->root->shares)
		rangemap_forget_hints(m);
	m->shares = m->root->shares;
	h = hint_of(m, key);
	*h = (struct rangemap_hint){ .after = UINT64_MAX, .leaf = path->node[0] };
	for (unsigned height = m->height; height; height--) {
		const struct rangemap_node *x = path->node[height];
		const unsigned i = path->at[height];

		if (i)
			h->low = x->keys[i];
		if (i + 1 < x->n)
			h->after = x->keys[i + 1];
	}
}

/* Goes down to the leaf to which the key belongs, and stores the path. Copies those nodes on the
 * path that other maps share, so that this map may change them. Returns false when out of
 * memory. */
static bool find_leaf(struct rangemap *m, uint64_t key, struct path *path)
{
	struct rangemap_node **at = &m->root;

	for (unsigned h = m->height; h; h--) {
		struct rangemap_node *x = rangemap_node_own(m, at, h);

		if (!x)
			return false;
		if (key < x->keys[0])
			x->keys[0] = key;
		path->node[h] = x;
		path->at[h] = rangemap_child(x, key);
		at = &x->child[path->at[h]];
	}
	path->node[0] = rangemap_node_own(m, at, 0);
	if (!path->node[0])
		return false;
	path->at[0] = rangemap_upper(path->node[0], key);
	note_leaf(m, key, path);
	return true;
}

/* Inserts an entry at position i of a leaf that has room. */
static void leaf_insert(struct rangemap_node *x, unsigned i, uint64_t key, uint32_t value)
{
	memmove(x->keys + i + 1, x->keys + i, (x->n - i) * sizeof(x->keys[0]));
	memmove(x->values + i + 1, x->values + i, (x->n - i) * sizeof(x->values[0]));
	x->keys[i] = key;
	x->values[i] = value;
	x->n++;
}

/* Inserts a child at position i of an inner node that has room; `key` is a lower bound of the
 * child's keys. */
static void inner_insert(struct rangemap_node *x, unsigned i, uint64_t key,
			 struct rangemap_node *child)
{
	memmove(x->keys + i + 1, x->keys + i, (x->n - i) * sizeof(x->keys[0]));
	memmove(x->child + i + 1, x->child + i, (x->n - i) * sizeof(x->child[0]));
	x->keys[i] = key;
	x->child[i] = child;
	x->n++;
}

/* Moves the upper part of the full node x to the empty node y. If x is the last node of its level
 * (at_end), x keeps nearly all keys. The reason is that new keys are mostly greater than all
 * others, so only y will get more keys. */
static void split_node(struct rangemap_node *x, struct rangemap_node *y, unsigned height,
		       bool at_end)
{
	unsigned keep = at_end ? FANOUT - 2 : FANOUT / 2;

	y->n = x->n - keep;
	memcpy(y->keys, x->keys + keep, y->n * sizeof(x->keys[0]));
	if (height)
		memcpy(y->child, x->child + keep, y->n * sizeof(x->child[0]));
	else
		memcpy(y->values, x->values + keep, y->n * sizeof(x->values[0]));
	rangemap_node_remove(x, height, keep, x->n);
}

/* Allocates all nodes that are needed to split the full leaf and the full nodes above it: fresh[h]
 * for height h. If memory runs out here, nothing has been changed yet. Returns false when out of
 * memory. */
static bool reserve_nodes(struct rangemap *m, const struct path *path, struct rangemap_node **fresh)
{
	unsigned want = 1;

	while (want <= m->height && path->node[want]->n == FANOUT)
		want++;
	if (want > m->height)
		want++; /* the root is full too, so a new root is needed */
	for (unsigned h = 0; h < want; h++) {
		fresh[h] = want <= MAX_HEIGHT ? rangemap_node_new(m, h) : NULL;
		if (!fresh[h]) {
			while (h)
				free(fresh[--h]);
			m->nomem = true;
			return false;
		}
	}
	return true;
}

/* Adds a root above the old one. The tree grows at its top, so all leaves stay at the same
 * depth. */
static void grow_root(struct rangemap *m, struct rangemap_node *top, struct rangemap_node *right)
{
	inner_insert(top, 0, 0, m->root);
	inner_insert(top, 1, right->keys[0], right);
	m->root = top;
	m->height++;
}

/* Links `right`, the node split off a leaf, into the inner nodes of the path, and splits those that
 * are full. The new nodes for the splits are in fresh[]. at_end means that the leaf is the last one
 * of the map. */
static __attribute__((noinline)) void link_split(struct rangemap *m, struct path *path,
						 struct rangemap_node *right,
						 struct rangemap_node **fresh, bool at_end)
{
	for (unsigned h = 1; h <= m->height; h++) {
		struct rangemap_node *x = path->node[h], *y;
		unsigned i = path->at[h] + 1;

		if (x->n < FANOUT) {
			inner_insert(x, i, right->keys[0], right);
			return;
		}
		y = fresh[h];
		split_node(x, y, h, at_end);
		if (i <= x->n)
			inner_insert(x, i, right->keys[0], right);
		else
			inner_insert(y, i - x->n, right->keys[0], right);
		right = y;
	}
	grow_root(m, fresh[m->height + 1], right);
}

/* Splits the full leaf at the end of the path, and changes the path to the half to which `key`
 * belongs. Returns false when out of memory. */
static bool make_room(struct rangemap *m, struct path *path, uint64_t key)
{
	struct rangemap_node *fresh[MAX_HEIGHT + 2], *x = path->node[0], *y;
	bool at_end = path->at[0] == FANOUT;

	for (unsigned h = 1; h <= m->height; h++)
		at_end &= path->at[h] + 1 == path->node[h]->n;
	if (!reserve_nodes(m, path, fresh))
		return false;
	rangemap_forget_hints(m);
	y = fresh[0];
	split_node(x, y, 0, at_end);
	link_split(m, path, y, fresh, at_end);
	if (path->at[0] > x->n || (path->at[0] == x->n && key > y->keys[0])) {
		path->at[0] -= x->n;
		path->node[0] = y;
	}
	return true;
}

/* Finds the leaf to which the key belongs. Creates the first leaf if the map is empty. Returns
 * false when out of memory. */
static bool find_or_make_leaf(struct rangemap *m, uint64_t key, struct path *path)
{
	if (!m->root)
		m->root = rangemap_node_new(m, 0);
	return m->root && find_leaf(m, key, path);
}

/* Returns a lower bound of all keys in the leaves after the one at the end of the path; UINT64_MAX
 * if there are none. */
static uint64_t bound_after(const struct rangemap *m, const struct path *path)
{
	for (unsigned h = 1; h <= m->height; h++)
		if (path->at[h] + 1 < path->node[h]->n)
			return path->node[h]->keys[path->at[h] + 1];
	return UINT64_MAX;
}

static int insert(struct rangemap *m, struct path *path, uint64_t key, uint32_t value)
{
	if (path->node[0]->n == FANOUT && !make_room(m, path, key))
		return MD_ENOMEM;
	leaf_insert(path->node[0], path->at[0], key, value);
	return 0;
}

int rangemap_put_free(struct rangemap *m, uint64_t key, uint64_t last, uint32_t value)
{
	const struct rangemap_hint *h = find_hint(m, key);
	const struct rangemap_node *leaf;
	struct path path;
	unsigned i;

	if (h && h->leaf->n < FANOUT) {
		i = rangemap_upper(h->leaf, key);
		if ((i && h->leaf->keys[i - 1] == key) ||
		    (i < h->leaf->n ? h->leaf->keys[i] : h->after) <= last)
			return 1;
		leaf_insert(h->leaf, i, key, value);
		return 0;
	}
	if (!find_or_make_leaf(m, key, &path))
		return MD_ENOMEM;
	leaf = path.node[0];
	i = path.at[0];
	if ((i && leaf->keys[i - 1] == key) ||
	    (i < leaf->n ? leaf->keys[i] : bound_after(m, &path)) <= last)
		return 1;
	return insert(m, &path, key, value);
}

int rangemap_put(struct rangemap *m, uint64_t key, uint32_t value)
{
	struct path path;
	unsigned i;

	if (!find_or_make_leaf(m, key, &path))
		return MD_ENOMEM;
	i = path.at[0];
	if (i && path.node[0]->keys[i - 1] == key) {
		if (m->holds)
			m->holds->drop(m->holds->arg, path.node[0]->values[i - 1]);
		path.node[0]->values[i - 1] = value;
		return 0;
	}
	return insert(m, &path, key, value);
}

/* Removes the empty leaf at the end of the path, and those inner nodes that become empty without
 * it. */
static __attribute__((noinline)) void drop_leaf(struct rangemap *m, struct path *path)
{
	rangemap_forget_hints(m);
	for (unsigned h = 1; h <= m->height; h++) {
		struct rangemap_node *up = path->node[h];

		free(path->node[h - 1]);
		rangemap_node_remove(up, h, path->at[h], path->at[h] + 1);
		if (up->n)
			return;
	}
	free(path->node[m->height]);
	m->root = NULL;
	m->height = 0;
}

/* Removes the key from the leaf x if it is there, at position i - 1. If `value` is not NULL, the
 * caller gets the value, with the map's reference to it; otherwise the reference is dropped. */
static inline bool leaf_remove(const struct rangemap *m, struct rangemap_node *x, unsigned i,
			       uint64_t key, uint32_t *value)
{
	if (!i || x->keys[i - 1] != key)
		return false;
	if (value)
		*value = x->values[i - 1];
	else if (m->holds)
		m->holds->drop(m->holds->arg, x->values[i - 1]);
	rangemap_node_remove(x, 0, i - 1, i);
	return true;
}

bool rangemap_del(struct rangemap *m, uint64_t key, uint32_t *value)
{
	const struct rangemap_hint *h = find_hint(m, key);
	struct rangemap_node *x;
	struct path path;

	if (h && h->leaf->n > 1)
		return leaf_remove(m, h->leaf, rangemap_upper(h->leaf, key), key, value);
	if (!m->root || (m->root->refs > 1 && !rangemap_get(m, key, NULL)) ||
	    !find_leaf(m, key, &path))
		return false;
	x = path.node[0];
	if (!leaf_remove(m, x, path.at[0], key, value))
		return false;
	if (!x->n)
		drop_leaf(m, &path);
	return true;
}

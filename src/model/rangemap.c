/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/rangemap.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"

enum { FANOUT = 32, MAX_HEIGHT = 16 };

/*
 * One node. In an inner node keys[i] is a lower bound of every key below child[i] (keys[0] is not
 * looked at). Nodes are freed when they become empty and never merged, so a separator may be lower
 * than the first key of its child: searches that end before a leaf's first key go on to the leaf
 * before.
 */
struct rangemap_node {
	uint64_t keys[FANOUT];
	union {
		uint32_t values[FANOUT];
		struct rangemap_node *child[FANOUT];
	};
	struct rangemap_node *prev, *next; /* leaves only */
	unsigned n;
};

struct path {
	struct rangemap_node *node[MAX_HEIGHT];
	unsigned at[MAX_HEIGHT];
};

static void node_free(struct rangemap_node *x, unsigned height)
{
	if (!x)
		return;
	for (unsigned i = 0; height && i < x->n; i++)
		node_free(x->child[i], height - 1);
	free(x);
}

void rangemap_release(struct rangemap *m)
{
	node_free(m->root, m->height);
	memset(m, 0, sizeof(*m));
}

/* How many of keys[from..n) are ≤ key, plus from. */
static inline unsigned upper(const struct rangemap_node *x, unsigned from, uint64_t key)
{
	unsigned lo = from, hi = x->n;

	while (lo < hi) {
		unsigned mid = (lo + hi) / 2;

		if (x->keys[mid] <= key)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* The leaf where key belongs; fills path (where not NULL) with the inner nodes passed. */
static struct rangemap_node *descend(const struct rangemap *m, uint64_t key, struct path *path)
{
	struct rangemap_node *x = m->root;

	for (unsigned h = m->height; h; h--) {
		unsigned i = upper(x, 1, key) - 1;

		if (path) {
			path->node[h] = x;
			path->at[h] = i;
		}
		x = x->child[i];
	}
	return x;
}

bool rangemap_get(const struct rangemap *m, uint64_t key, uint32_t *value)
{
	uint64_t at;

	return rangemap_le(m, key, &at, value) && at == key;
}

bool rangemap_le(const struct rangemap *m, uint64_t key, uint64_t *at, uint32_t *value)
{
	struct rangemap_node *x;
	unsigned i;

	if (!m->root)
		return false;
	x = descend(m, key, NULL);
	i = upper(x, 0, key);
	if (!i) {
		x = x->prev;
		if (!x)
			return false;
		i = x->n;
	}
	if (at)
		*at = x->keys[i - 1];
	if (value)
		*value = x->values[i - 1];
	return true;
}

bool rangemap_ge(const struct rangemap *m, uint64_t key, uint64_t *at, uint32_t *value)
{
	struct rangemap_node *x;
	unsigned i;

	if (!m->root)
		return false;
	x = descend(m, key, NULL);
	i = upper(x, 0, key);
	if (i && x->keys[i - 1] == key) {
		i--;
	} else if (i == x->n) {
		x = x->next;
		i = 0;
	}
	if (!x)
		return false;
	if (at)
		*at = x->keys[i];
	if (value)
		*value = x->values[i];
	return true;
}

static void leaf_insert(struct rangemap_node *x, unsigned i, uint64_t key, uint32_t value)
{
	memmove(x->keys + i + 1, x->keys + i, (x->n - i) * sizeof(x->keys[0]));
	memmove(x->values + i + 1, x->values + i, (x->n - i) * sizeof(x->values[0]));
	x->keys[i] = key;
	x->values[i] = value;
	x->n++;
}

static void inner_insert(struct rangemap_node *x, unsigned i, uint64_t key,
			 struct rangemap_node *child)
{
	memmove(x->keys + i + 1, x->keys + i, (x->n - i) * sizeof(x->keys[0]));
	memmove(x->child + i + 1, x->child + i, (x->n - i) * sizeof(x->child[0]));
	x->keys[i] = key;
	x->child[i] = child;
	x->n++;
}

/* Moves the upper part of the full node x to the empty node y. Keys mostly arrive in ascending
 * order, so a node that is split at its end stays full. */
static void split(struct rangemap_node *x, struct rangemap_node *y, bool leaf, bool at_end)
{
	unsigned keep = at_end ? FANOUT - 2 : FANOUT / 2;

	y->n = x->n - keep;
	memcpy(y->keys, x->keys + keep, y->n * sizeof(x->keys[0]));
	if (leaf)
		memcpy(y->values, x->values + keep, y->n * sizeof(x->values[0]));
	else
		memcpy(y->child, x->child + keep, y->n * sizeof(x->child[0]));
	x->n = keep;
	if (!leaf)
		return;
	y->prev = x;
	y->next = x->next;
	if (y->next)
		y->next->prev = y;
	x->next = y;
}

/* As many fresh nodes as splitting the full nodes on the way up needs; false when out of memory. */
static bool reserve(struct rangemap *m, const struct path *path, struct rangemap_node **fresh,
		    unsigned *nfresh)
{
	unsigned want = 1, h;

	for (h = 1; h <= m->height && path->node[h]->n == FANOUT; h++)
		want++;
	if (h > m->height)
		want++; /* a new root */
	for (*nfresh = 0; *nfresh < want; (*nfresh)++) {
		fresh[*nfresh] = calloc(1, sizeof(**fresh));
		if (!fresh[*nfresh]) {
			while (*nfresh)
				free(fresh[--*nfresh]);
			return false;
		}
	}
	return true;
}

static void grow_root(struct rangemap *m, struct rangemap_node *top, struct rangemap_node *right)
{
	top->n = 2;
	top->keys[0] = 0;
	top->child[0] = m->root;
	top->keys[1] = right->keys[0];
	top->child[1] = right;
	m->root = top;
	m->height++;
}

/* Hangs `right`, split off below path->at[h], into the inner nodes from height h upward. */
static __attribute__((noinline)) void hang(struct rangemap *m, struct path *path,
					   struct rangemap_node *right,
					   struct rangemap_node **fresh, unsigned nfresh)
{
	for (unsigned h = 1; h <= m->height; h++) {
		struct rangemap_node *x = path->node[h], *y;
		unsigned i = path->at[h] + 1;

		if (x->n < FANOUT) {
			inner_insert(x, i, right->keys[0], right);
			return;
		}
		y = fresh[--nfresh];
		split(x, y, false, i == FANOUT);
		if (i <= x->n)
			inner_insert(x, i, right->keys[0], right);
		else
			inner_insert(y, i - x->n, right->keys[0], right);
		right = y;
	}
	grow_root(m, fresh[--nfresh], right);
}

int rangemap_put(struct rangemap *m, uint64_t key, uint32_t value)
{
	struct rangemap_node *fresh[MAX_HEIGHT + 2], *x, *y;
	struct path path;
	unsigned i, nfresh;

	if (!m->root && !(m->root = calloc(1, sizeof(*m->root))))
		return MD_ENOMEM;
	x = descend(m, key, &path);
	i = upper(x, 0, key);
	if (i && x->keys[i - 1] == key) {
		x->values[i - 1] = value;
		return 0;
	}
	if (x->n == FANOUT) {
		if (!reserve(m, &path, fresh, &nfresh))
			return MD_ENOMEM;
		y = fresh[--nfresh];
		split(x, y, true, i == FANOUT);
		hang(m, &path, y, fresh, nfresh);
		if (i > x->n || (i == x->n && key > y->keys[0])) {
			i -= x->n;
			x = y;
		}
	}
	leaf_insert(x, i, key, value);
	m->count++;
	return 0;
}

/* Takes an empty leaf out, and the inner nodes that become empty with it. */
static __attribute__((noinline)) void drop_leaf(struct rangemap *m, struct path *path,
						struct rangemap_node *x)
{
	if (x->prev)
		x->prev->next = x->next;
	if (x->next)
		x->next->prev = x->prev;
	for (unsigned h = 1; h <= m->height; h++) {
		struct rangemap_node *up = path->node[h];
		unsigned i = path->at[h];

		free(x);
		memmove(up->keys + i, up->keys + i + 1, (up->n - i - 1) * sizeof(up->keys[0]));
		memmove(up->child + i, up->child + i + 1, (up->n - i - 1) * sizeof(up->child[0]));
		if (--up->n)
			return;
		x = up;
	}
	free(x);
	m->root = NULL;
	m->height = 0;
}

bool rangemap_del(struct rangemap *m, uint64_t key, uint32_t *value)
{
	struct rangemap_node *x;
	struct path path;
	unsigned i;

	if (!m->root)
		return false;
	x = descend(m, key, &path);
	i = upper(x, 0, key);
	if (!i || x->keys[i - 1] != key)
		return false;
	if (value)
		*value = x->values[i - 1];
	memmove(x->keys + i - 1, x->keys + i, (x->n - i) * sizeof(x->keys[0]));
	memmove(x->values + i - 1, x->values + i, (x->n - i) * sizeof(x->values[0]));
	m->count--;
	if (!--x->n)
		drop_leaf(m, &path, x);
	return true;
}

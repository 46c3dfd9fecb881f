/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shares nodes among several maps, and removes many keys at once.
 *
 * A fork adds a reference from the child's map to the parent's root. Before a map changes a shared
 * node, it copies the nodes on the path from the root, and each copy refers to the children of the
 * original. So a fork copies no node, and the first change after it costs as many copies as the
 * tree has levels.
 *
 * What must stay true: a node with more than one reference never changes. The owner of a node is
 * the map (of a process) that created it or changed it last. Values in nodes of other owners are
 * inherited, and they are not reported when this map drops them.
 */
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "model/rangemap_node.h"

/* Allocates an empty node of a map; height 0 makes a leaf. Its unused keys are UINT64_MAX, as
 * rangemap_upper() requires. NULL means out of memory. */
struct rangemap_node *rangemap_node_new(const struct rangemap *m, unsigned height)
{
	size_t size = offsetof(struct rangemap_node, child) +
		      (height ? sizeof(struct rangemap_node *) : sizeof(uint32_t)) * FANOUT;
	struct rangemap_node *x = malloc(size);

	if (!x)
		return NULL;
	x->refs = 1;
	x->shares = 0;
	x->owner = m->owner;
	x->n = 0;
	memset(x->keys, 0xff, sizeof(x->keys));
	return x;
}

/* Drops one reference to x. The last reference frees x and drops the nodes below it. `height` is
 * the height of x; 0 means a leaf. */
static void rangemap_node_drop(const struct rangemap *m, struct rangemap_node *x, unsigned height)
{
	if (--x->refs)
		return;
	for (unsigned i = 0; i < x->n; i++) {
		if (height)
			rangemap_node_drop(m, x->child[i], height - 1);
		else if (m->holds)
			m->holds->drop(m->holds->arg, x->values[i]);
	}
	free(x);
}

/* Replaces *at with a copy. Afterwards two nodes refer to its values or children, so each of these
 * gets one more reference. */
struct rangemap_node *rangemap_node_copy(struct rangemap *m, struct rangemap_node **at,
					 unsigned height)
{
	struct rangemap_node *x = *at, *copy = rangemap_node_new(m, height);

	if (!copy) {
		m->nomem = true;
		return NULL;
	}
	copy->n = x->n;
	memcpy(copy->keys, x->keys, sizeof(x->keys));
	for (unsigned i = 0; i < x->n; i++) {
		if (height) {
			copy->child[i] = x->child[i];
			copy->child[i]->refs++;
			continue;
		}
		copy->values[i] = x->values[i];
		if (m->holds)
			m->holds->hold(m->holds->arg, x->values[i]);
	}
	x->refs--;
	rangemap_forget_hints(m);
	return *at = copy;
}

/* Removes the entries [from, to) of a node, whose references the caller has dropped already. */
void rangemap_node_remove(struct rangemap_node *x, unsigned height, unsigned from, unsigned to)
{
	unsigned after = x->n - to;

	memmove(x->keys + from, x->keys + to, after * sizeof(x->keys[0]));
	if (height)
		memmove(x->child + from, x->child + to, after * sizeof(x->child[0]));
	else
		memmove(x->values + from, x->values + to, after * sizeof(x->values[0]));
	memset(x->keys + from + after, 0xff, (to - from) * sizeof(x->keys[0]));
	x->n = from + after;
}

/* Returns the number of values in a subtree. */
static size_t count_values(const struct rangemap_node *x, unsigned height)
{
	size_t n = height ? 0 : x->n;

	for (unsigned i = 0; height && i < x->n; i++)
		n += count_values(x->child[i], height - 1);
	return n;
}

/* The time is proportional to the number of nodes, because all are visited. */
size_t rangemap_count(const struct rangemap *m)
{
	return m->root ? count_values(m->root, m->height) : 0;
}

void rangemap_share(struct rangemap *to, const struct rangemap *from)
{
	if (!from->root)
		return;
	to->root = from->root;
	to->height = from->height;
	to->holds = from->holds;
	to->root->refs++;
	to->root->shares++;
}

/* The arguments of a call of rangemap_cut(), and its result. */
struct cut {
	struct rangemap *m;
	uint64_t first, last;
	rangemap_gone_fn *gone;
	void *arg;
	int result;
};

/* Calls gone() for the values in those nodes of the subtree of x that this map owns. Values in
 * nodes of other owners are inherited by a fork and are not reported. */
static void report_own_values(struct cut *c, const struct rangemap_node *x, unsigned height)
{
	if (x->owner != c->m->owner) {
		c->result = c->result ? c->result : 1;
		return;
	}
	for (unsigned i = 0; i < x->n; i++) {
		if (height)
			report_own_values(c, x->child[i], height - 1);
		else
			c->gone(c->arg, x->keys[i], x->values[i]);
	}
}

/* Removes the entire subtree of x. */
static void cut_whole(struct cut *c, struct rangemap_node *x, unsigned height)
{
	if (c->gone)
		report_own_values(c, x, height);
	rangemap_node_drop(c->m, x, height);
}

/* Removes the keys of the range from a leaf that no other map shares. */
static void cut_leaf(struct cut *c, struct rangemap_node *x)
{
	unsigned from = c->first ? rangemap_upper(x, c->first - 1) : 0;
	unsigned to = rangemap_upper(x, c->last);

	for (unsigned i = from; i < to; i++) {
		if (c->gone)
			c->gone(c->arg, x->keys[i], x->values[i]);
		if (c->m->holds)
			c->m->holds->drop(c->m->holds->arg, x->values[i]);
	}
	rangemap_node_remove(x, 0, from, to);
}

static void cut_below(struct cut *c, struct rangemap_node **at, unsigned height);

/* Removes the keys of the range below an inner node. Its first and its last child in the range may
 * also contain other keys; all children between them are removed. */
static void cut_inner(struct cut *c, struct rangemap_node *x, unsigned height)
{
	unsigned from = rangemap_child(x, c->first), to = rangemap_child(x, c->last), kept = from;

	for (unsigned i = from; i <= to; i++) {
		if (i != from && i != to) {
			cut_whole(c, x->child[i], height - 1);
			continue;
		}
		cut_below(c, &x->child[i], height - 1);
		if (!x->child[i])
			continue;
		x->keys[kept] = x->keys[i];
		x->child[kept++] = x->child[i];
	}
	rangemap_node_remove(x, height, kept, to + 1);
}

/* Removes the keys of the range from the subtree at *at, which becomes NULL if no key remains. */
static void cut_below(struct cut *c, struct rangemap_node **at, unsigned height)
{
	struct rangemap_node *x = rangemap_node_own(c->m, at, height);

	if (!x) {
		c->result = MD_ENOMEM;
		return;
	}
	if (height)
		cut_inner(c, x, height);
	else
		cut_leaf(c, x);
	if (!x->n) {
		free(x);
		*at = NULL;
	}
}

/* If the range covers all keys, drops the root at once, because every process removes all keys at
 * its end. */
int rangemap_cut(struct rangemap *m, uint64_t first, uint64_t last, rangemap_gone_fn *gone,
		 void *arg)
{
	struct cut c = { m, first, last, gone, arg, 0 };
	uint64_t key;

	rangemap_forget_hints(m);
	if (first == 0 && last == UINT64_MAX && m->root) {
		cut_whole(&c, m->root, m->height);
		m->root = NULL;
	} else if (rangemap_ge(m, first, &key, NULL) && key <= last) {
		cut_below(&c, &m->root, m->height);
	}
	if (!m->root) {
		m->height = 0;
		free(m->hints);
		m->hints = NULL;
	}
	return c.result;
}

void rangemap_release(struct rangemap *m)
{
	rangemap_cut(m, 0, UINT64_MAX, NULL, NULL);
}

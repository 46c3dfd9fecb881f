/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Blocks that recursive functions allocate: the nodes of a binary tree, whose function calls
 * itself from two places, and two lists, whose functions call each other.
 */
#include "answer.h"

enum { DEPTH = 11, LENGTH = 60, NODE = 1009, EVEN = 2003, ODD = 3001 };

struct node {
	struct node *left, *right;
};

NOINLINE static struct node *build(unsigned depth)
{
	struct node *n = must_have(malloc(NODE));

	n->left = depth ? build(depth - 1) : NULL;
	n->right = depth ? build(depth - 1) : NULL;
	return n;
}

NOINLINE static struct node *odd(unsigned n);

NOINLINE static struct node *even(unsigned n)
{
	struct node *x = must_have(malloc(EVEN));

	x->left = n ? odd(n - 1) : NULL;
	return x;
}

NOINLINE static struct node *odd(unsigned n)
{
	struct node *x = must_have(malloc(ODD));

	x->left = n ? even(n - 1) : NULL;
	return x;
}

NOINLINE static size_t count(const struct node *n)
{
	return n ? 1 + count(n->left) + count(n->right) : 0;
}

int main(void)
{
	const struct node *tree = build(DEPTH), *list = even(2 * LENGTH - 1);

	tell_value("nodes", count(tree));
	tell_value("even", LENGTH);
	return !list;
}

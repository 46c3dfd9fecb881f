/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A tree of frames in memory from mmap: (caller, address) -> id, each pair once. One thread (and
 * its signal handlers, kept out by stack.c) uses a tree. Every step leaves it whole: a handler that
 * longjmps out of the middle costs at most a second id for the same pair.
 */
#ifndef MEMDB_PRELOAD_STACK_TREE_H
#define MEMDB_PRELOAD_STACK_TREE_H

#include <stdbool.h>
#include <stdint.h>

struct tree_node {
	uint64_t pc;
	uint32_t caller; /* id */
	uint32_t unused;
};

/* All zero is an empty tree. The node of id i is nodes[i - base]. */
struct stack_tree {
	struct tree_node *nodes;
	struct tree_index *index;
	uint32_t capacity; /* of nodes */
	uint32_t n;
	uint32_t base; /* id of nodes[0] */
};

/* The id of (caller, pc), made if need be; 0 where memory or ids are used up. */
uint32_t tree_intern(struct stack_tree *t, uint32_t caller, uint64_t pc);

/* Forgets all nodes; ids go on where they were. Keeps the memory unless there is much of it. */
void tree_restart(struct stack_tree *t);

/* Gives the memory back; the tree is as fresh, ids too. */
void tree_release(struct stack_tree *t);

static inline uint32_t tree_next_id(const struct stack_tree *t)
{
	return t->base + t->n;
}

#endif

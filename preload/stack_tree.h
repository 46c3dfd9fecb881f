/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A tree of frames in memory from mmap: (caller, address) -> id, each pair once, in one hash table.
 * One thread (and its signal handlers, kept out by stack.c) uses a tree. Every step leaves it
 * whole: a handler that longjmps out of the middle costs at most a second id for the same pair.
 */
#ifndef MEMDB_PRELOAD_STACK_TREE_H
#define MEMDB_PRELOAD_STACK_TREE_H

#include <stdbool.h>
#include <stdint.h>

/* A frame: in the table, and in the list of new ones. */
struct tree_node {
	uint64_t pc;
	uint32_t caller; /* id */
	uint32_t id;     /* 0: an empty place of the table */
};

/* All zero is an empty tree; set first_new to the first id before use. */
struct stack_tree {
	struct tree_table *table;
	uint32_t n;              /* nodes in the table */
	uint32_t first_new;      /* id of fresh[0]; the next ones follow */
	struct tree_node *fresh; /* made since tree_forget_new(), in the order of their ids */
	uint32_t n_new;
	uint32_t capacity; /* of fresh */
};

/* The id of (caller, pc), made if need be; 0 where memory or ids are used up. About 2 ns and a
 * cache miss. */
uint32_t tree_intern(struct stack_tree *t, uint32_t caller, uint64_t pc);

/* The same of a pair that is there; else 0. */
uint32_t tree_find(const struct stack_tree *t, uint32_t caller, uint64_t pc);

/* Room for some 40,000 nodes, as long as no memory can be had. */
void tree_reserve(struct stack_tree *t);

/* The new nodes have been written: the list is empty again. */
void tree_forget_new(struct stack_tree *t);

/* Forgets all nodes; ids go on where they were. Keeps the memory unless there is much of it. */
void tree_restart(struct stack_tree *t);

/* The same with ids from the first on, in a forked child: the table, which is the parent's too, is
 * given back and not written. */
void tree_renew(struct stack_tree *t);

/* Gives the memory back; the tree is as all zero. */
void tree_release(struct stack_tree *t);

static inline uint32_t tree_next_id(const struct stack_tree *t)
{
	return t->first_new + t->n_new;
}

#endif

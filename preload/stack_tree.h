/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A tree of frames in mapped memory. A hash table maps each pair (caller, address) to one id. A
 * tree is used by one thread; stack_guard.c keeps the signal handlers of that thread out. The tree
 * is valid after every step: if a signal handler leaves a call by longjmp, the worst result is a
 * second id for one pair. */
#ifndef MEMDB_PRELOAD_STACK_TREE_H
#define MEMDB_PRELOAD_STACK_TREE_H

#include <stdbool.h>
#include <stdint.h>

/* A frame, in the table and in the list of new frames. */
struct tree_node {
	uint64_t pc;
	uint32_t caller; /* id of the node that called this one */
	uint32_t id;     /* 0 marks an empty entry of the table */
};

enum { TREE_START_BITS = 7, TREE_START_NEW = 56 };

/* Memory for a tree of few nodes, which the owner of the tree provides. It must be zero. */
struct tree_start {
	_Alignas(64) uint64_t table[8 + 2 * (1 << TREE_START_BITS)];
	struct tree_node fresh[TREE_START_NEW];
};

/* A tree whose bytes are all zero is empty, but tree_begin() must be called before it is used. */
struct stack_tree {
	struct tree_start *start;
	struct tree_table *table;
	uint32_t n; /* number of nodes in the table */
	/* id of fresh[0]; fresh[i] has the id first_new + i. A lower id marks a node that
	 * tree_forget_new() has forgotten before longjmp left it */
	uint32_t first_new;
	struct tree_node *fresh; /* nodes that were created since tree_forget_new(), sorted by id */
	uint32_t n_new;
	uint32_t capacity; /* room in `fresh` */
};

/* Prepares an empty tree, whose nodes get ids from `first` on. Its first nodes are in *start. */
void tree_begin(struct stack_tree *t, uint32_t first, struct tree_start *start);

/* Returns the id of (caller, pc), and creates it if it is missing; 0 if memory or ids are used up.
 * Takes about 2 ns plus a cache miss. */
uint32_t tree_intern(struct stack_tree *t, uint32_t caller, uint64_t pc);

/* Creates the node (caller, pc), which must be missing, and returns its id; 0 if memory or ids are
 * used up. */
uint32_t tree_add(struct stack_tree *t, uint32_t caller, uint64_t pc);

/* Returns the id of the pair (caller, pc); 0 if the tree does not contain it. */
uint32_t tree_find(const struct stack_tree *t, uint32_t caller, uint64_t pc);

/* Allocates a table for about 40,000 nodes, and a list for about 32,000 new ones. Called before the
 * program forbids itself system calls, because no memory can be mapped then. */
void tree_reserve(struct stack_tree *t);

/* Empties the list of new nodes. Must be called when all of them have been written to the log. */
void tree_forget_new(struct stack_tree *t);

/* Forgets all nodes; ids go on from the last one. Keeps the memory of the table, unless it is
 * large. */
void tree_restart(struct stack_tree *t);

/* For a forked child: forgets all nodes, and sets first_new to 0, as in an unused tree. Unmaps a
 * large table without writing to it, because a write would copy pages of the parent. The caller
 * must fill *t->start with zeros. */
void tree_renew(struct stack_tree *t);

static inline uint32_t tree_next_id(const struct stack_tree *t)
{
	return t->first_new + t->n_new;
}

#endif

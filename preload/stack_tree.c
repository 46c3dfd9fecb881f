/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stack_tree.h"

#include "rawcall.h"

#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>

enum {
	RESERVED_NEW = 1 << 15,
	RESERVED_BITS = 16,
	KEEP_BITS = 16,
	LINE_BITS = 2,
	LINE = 1 << LINE_BITS
};

/* A hash table with open addressing, at most 5/8 full. The size is stored in the table, so that one
 * store of a pointer changes both. */
struct tree_table {
	uint32_t bits;
	uint32_t unused[15];
	struct tree_node node[]; /* the entries; each cache line (64 bytes) has LINE of them */
};

/* A compiler barrier. A signal handler on this thread that sees a store made after the call also
 * sees all stores made before the call. */
static void order_stores(void)
{
	atomic_signal_fence(memory_order_seq_cst);
}

static void *map_pages(uint64_t bytes, int flags)
{
	long p = rawcall6(SYS_mmap, 0, (long)bytes, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);

	return rawcall_failed(p) ? NULL : (void *)p;
}

/* Unmaps a table or list, unless it is in the memory of the tree's owner. */
static void give_back(const struct stack_tree *t, void *p, uint64_t bytes)
{
	if (p && (!t->start || (p != t->start->table && p != t->start->fresh)))
		(void)rawcall4(SYS_munmap, (long)p, (long)bytes, 0, 0);
}

_Static_assert(sizeof(((struct tree_start *)0)->table) ==
		       sizeof(struct tree_table) + (sizeof(struct tree_node) << TREE_START_BITS),
	       "the first table fits exactly");

void tree_begin(struct stack_tree *t, uint32_t first, struct tree_start *start)
{
	t->start = start;
	if (!t->fresh) {
		t->capacity = TREE_START_NEW;
		t->fresh = start->fresh;
	}
	if (!t->table) {
		struct tree_table *x = (struct tree_table *)start->table;

		x->bits = TREE_START_BITS;
		order_stores();
		t->table = x;
	}
	order_stores();
	t->first_new = first;
}

static uint64_t table_bytes(uint32_t bits)
{
	return sizeof(struct tree_table) + (sizeof(struct tree_node) << bits);
}

/* Searches one line of the table for (caller, pc). Returns the entry of its node or, if there is no
 * node, an empty entry; NULL if all entries of the line belong to other nodes. */
static inline struct tree_node *place_in_line(struct tree_node *line, uint32_t caller, uint64_t pc)
{
	for (unsigned i = 0; i < LINE; i++) {
		struct tree_node *n = &line[i];

		if (!n->id || (n->pc == pc && n->caller == caller))
			return n;
	}
	return NULL;
}

/* Returns the table entry of (caller, pc), or the empty entry in which it belongs. The line tried
 * first depends only on the caller. The frames of a path are created one after the other and have
 * consecutive ids, so successive frames are in the same line or in neighbouring lines. If that line
 * is full, for example because the caller calls many functions, a hash of caller and pc selects the
 * line at which the search goes on. */
static inline struct tree_node *node_place(struct tree_table *x, uint32_t caller, uint64_t pc)
{
	uint32_t mask = (1u << (x->bits - LINE_BITS)) - 1;
	struct tree_node *n = place_in_line(&x->node[(caller / 2 & mask) * LINE], caller, pc);
	uint64_t h;

	if (n)
		return n;
	h = (pc ^ ((uint64_t)caller << 32 | caller)) * 0x9e3779b97f4a7c15u;
	for (uint32_t k = (uint32_t)(h >> 32) & mask; !n; k = (k + 1) & mask)
		n = place_in_line(&x->node[k * LINE], caller, pc);
	return n;
}

static void put_node(struct tree_node *at, const struct tree_node *n)
{
	at->pc = n->pc;
	at->caller = n->caller;
	order_stores();
	at->id = n->id;
}

static bool grow_table(struct stack_tree *t, uint32_t bits)
{
	struct tree_table *old = t->table;
	/* The nodes of a table that is more than half full will be on all pages of the new one. One
	 * call is cheaper than a page fault for each. */
	int flags = old && t->n > 1u << old->bits >> 1 ? MAP_POPULATE : 0;
	struct tree_table *x = bits < 32 ? map_pages(table_bytes(bits), flags) : NULL;

	if (!x)
		return false;
	x->bits = bits;
	for (uint32_t i = 0; old && i < 1u << old->bits; i++) {
		const struct tree_node *n = &old->node[i];

		if (n->id)
			put_node(node_place(x, n->caller, n->pc), n);
	}
	order_stores();
	t->table = x;
	order_stores();
	if (old)
		give_back(t, old, table_bytes(old->bits));
	return true;
}

static bool grow_new(struct stack_tree *t, uint32_t capacity)
{
	struct tree_node *old = t->fresh;
	uint32_t old_capacity = t->capacity;
	struct tree_node *fresh = map_pages((uint64_t)capacity * sizeof(*fresh), 0);

	if (!fresh)
		return false;
	if (old)
		memcpy(fresh, old, (uint64_t)t->n_new * sizeof(*fresh));
	order_stores();
	t->fresh = fresh;
	order_stores();
	t->capacity = capacity;
	order_stores();
	give_back(t, old, (uint64_t)old_capacity * sizeof(*old));
	return true;
}

uint32_t tree_add(struct stack_tree *t, uint32_t caller, uint64_t pc)
{
	struct tree_node n = { .pc = pc, .caller = caller, .id = tree_next_id(t) };

	if (n.id >= UINT32_MAX - 2)
		return 0;
	if (t->n_new == t->capacity && !grow_new(t, t->capacity * 2))
		return 0;
	if ((!t->table || t->n >= 5u << t->table->bits >> 3) &&
	    !grow_table(t, t->table ? t->table->bits + 1 : TREE_START_BITS + 1))
		return 0;
	t->fresh[t->n_new] = n;
	order_stores();
	t->n_new++; /* from here on the id of this node is in use */
	t->n++;
	order_stores();
	put_node(node_place(t->table, caller, pc), &n);
	return n.id;
}

void tree_reserve(struct stack_tree *t)
{
	if (t->capacity < RESERVED_NEW)
		grow_new(t, RESERVED_NEW);
	if (!t->table || t->table->bits < RESERVED_BITS)
		grow_table(t, RESERVED_BITS);
}

uint32_t tree_find(const struct stack_tree *t, uint32_t caller, uint64_t pc)
{
	return t->table ? node_place(t->table, caller, pc)->id : 0;
}

uint32_t tree_intern(struct stack_tree *t, uint32_t caller, uint64_t pc)
{
	uint32_t id = tree_find(t, caller, pc);

	return id ? id : tree_add(t, caller, pc);
}

void tree_forget_new(struct stack_tree *t)
{
	t->first_new += t->n_new;
	order_stores();
	t->n_new = 0;
}

void tree_restart(struct stack_tree *t)
{
	struct tree_table *x = t->table;

	t->table = NULL;
	order_stores();
	tree_forget_new(t);
	t->n = 0;
	if (!x)
		return;
	if (x->bits > KEEP_BITS) {
		give_back(t, x, table_bytes(x->bits));
		return;
	}
	memset(x->node, 0, sizeof(x->node[0]) << x->bits);
	order_stores();
	t->table = x;
}

void tree_renew(struct stack_tree *t)
{
	struct tree_table *x = t->table;

	t->table = NULL;
	order_stores();
	t->first_new = t->n_new = t->n = 0;
	if (x)
		give_back(t, x, table_bytes(x->bits));
}

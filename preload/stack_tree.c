/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stack_tree.h"

#include "rawcall.h"

#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>

enum { FIRST_NODES = 1024, FIRST_BITS = 12, KEEP_NODES = 1 << 16 };

/* Open addressing, at most half full. One pointer names the table and its size, so that both change
 * at once. */
struct tree_index {
	uint32_t bits;
	uint32_t unused;
	uint32_t slot[]; /* position in nodes + 1; 0 empty */
};

/* Between stores that a signal handler must see in this order. */
static void order(void)
{
	atomic_signal_fence(memory_order_seq_cst);
}

static void *pages(uint64_t bytes)
{
	long p = rawcall6(SYS_mmap, 0, (long)bytes, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return rawcall_failed(p) ? NULL : (void *)p;
}

static void give_back(void *p, uint64_t bytes)
{
	if (p)
		(void)rawcall4(SYS_munmap, (long)p, (long)bytes, 0, 0);
}

static uint64_t index_bytes(uint32_t bits)
{
	return sizeof(struct tree_index) + ((uint64_t)4 << bits);
}

static uint32_t start_slot(const struct tree_index *x, uint32_t caller, uint64_t pc)
{
	uint64_t h = (pc ^ ((uint64_t)caller << 32 | caller)) * 0x9e3779b97f4a7c15u;

	return (uint32_t)(h >> (64 - x->bits));
}

static bool grow_nodes(struct stack_tree *t)
{
	uint32_t capacity = t->capacity ? t->capacity * 2 : FIRST_NODES;
	struct tree_node *old = t->nodes;
	uint32_t old_capacity = t->capacity;
	struct tree_node *nodes = pages((uint64_t)capacity * sizeof(*nodes));

	if (!nodes)
		return false;
	if (old)
		memcpy(nodes, old, (uint64_t)t->n * sizeof(*nodes));
	order();
	t->nodes = nodes;
	order();
	t->capacity = capacity;
	order();
	give_back(old, (uint64_t)old_capacity * sizeof(*old));
	return true;
}

static void insert(struct tree_index *x, const struct tree_node *n, uint32_t position)
{
	uint32_t mask = (1u << x->bits) - 1;
	uint32_t k = start_slot(x, n->caller, n->pc);

	while (x->slot[k])
		k = (k + 1) & mask;
	x->slot[k] = position + 1;
}

static bool grow_index(struct stack_tree *t)
{
	struct tree_index *old = t->index;
	uint32_t bits = old ? old->bits + 1 : FIRST_BITS;
	struct tree_index *x = pages(index_bytes(bits));

	if (!x)
		return false;
	x->bits = bits;
	for (uint32_t i = 0; i < t->n; i++)
		insert(x, &t->nodes[i], i);
	order();
	t->index = x;
	order();
	if (old)
		give_back(old, index_bytes(old->bits));
	return true;
}

static uint32_t add(struct stack_tree *t, uint32_t caller, uint64_t pc)
{
	uint32_t position = t->n;

	if (t->base > UINT32_MAX - t->n - 2)
		return 0;
	if (position == t->capacity && !grow_nodes(t))
		return 0;
	if ((!t->index || position >= 1u << (t->index->bits - 1)) && !grow_index(t))
		return 0;
	t->nodes[position] = (struct tree_node){ .pc = pc, .caller = caller };
	order();
	t->n = position + 1;
	order();
	insert(t->index, &t->nodes[position], position);
	return t->base + position;
}

uint32_t tree_intern(struct stack_tree *t, uint32_t caller, uint64_t pc)
{
	const struct tree_index *x = t->index;
	uint32_t mask;

	if (!x)
		return add(t, caller, pc);
	mask = (1u << x->bits) - 1;
	for (uint32_t k = start_slot(x, caller, pc); x->slot[k]; k = (k + 1) & mask) {
		const struct tree_node *n = &t->nodes[x->slot[k] - 1];

		if (n->pc == pc && n->caller == caller)
			return t->base + x->slot[k] - 1;
	}
	return add(t, caller, pc);
}

static void release_memory(struct stack_tree *t)
{
	struct tree_node *nodes = t->nodes;
	struct tree_index *index = t->index;
	uint32_t capacity = t->capacity;

	t->nodes = NULL;
	t->index = NULL;
	t->capacity = 0;
	order();
	give_back(nodes, (uint64_t)capacity * sizeof(*nodes));
	if (index)
		give_back(index, index_bytes(index->bits));
}

void tree_restart(struct stack_tree *t)
{
	struct tree_index *x = t->index;

	t->index = NULL; /* never an index of nodes that are gone */
	order();
	t->base += t->n;
	t->n = 0;
	order();
	if (!x)
		return;
	if (t->capacity > KEEP_NODES) {
		give_back(x, index_bytes(x->bits));
		release_memory(t);
		return;
	}
	memset(x->slot, 0, (size_t)4 << x->bits);
	order();
	t->index = x;
}

void tree_release(struct stack_tree *t)
{
	release_memory(t);
	t->n = 0;
	t->base = 0;
}

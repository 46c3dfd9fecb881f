/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Follows a linked list in random order. Each load overwrites the register that held its
 * address, so the address is lost when the load ends. An access to another block, `steps`,
 * follows each load and never waits.
 *
 * chase [SECONDS [members]]
 *
 * With "members" it does three other walks instead, which read two members of each node. They show
 * which member fetches a node's cache line.
 */
#include "answer.h"

enum { COUNT = 1 << 20, STEPS = 1 << 16 };

/* A node is as large as two cache lines. Hardware may prefetch the neighbour of a line, which is
 * then a part of the same node. */
struct node {
	struct node *next;
	long near;
	char rest[48];
	long far;
	struct node *child[2];
	char end[40];
};

NOINLINE static struct node *make_list(void)
{
	return must_have(malloc(COUNT * sizeof(struct node)));
}

NOINLINE static uint64_t *make_steps(void)
{
	return must_have(calloc(512, sizeof(uint64_t)));
}

/* Links all nodes of the list into one cycle, in random order. */
static void link_list(struct node *list)
{
	uint32_t *order = random_order(COUNT);

	for (uint32_t i = 0; i < COUNT; i++)
		list[order[i]] = (struct node){
			.next = &list[order[(i + 1) % COUNT]],
			.near = i,
			.child = { &list[order[(i + 1) % COUNT]], &list[order[(i + 7) % COUNT]] },
		};
	free(order);
}

enum { FIRST_LINE = __LINE__ };

NOINLINE static struct node *walk(struct node *n, volatile uint64_t *steps)
{
	for (int i = 0; i < STEPS; i++) {
		n = n->next;
		steps[0]++;
	}
	return n;
}

enum { LAST_LINE = __LINE__ };

static volatile long sink;

/* `near` is loaded first, so it waits for the node's cache line. `next` is on the same line:
 * without `near`, the load of `next` would wait as long. */
NOINLINE static struct node *walk_near(struct node *n)
{
	for (int i = 0; i < STEPS; i++) {
		sink += n->near;
		n = n->next;
	}
	return n;
}

/* `far` and `next` are on different cache lines, which are fetched at the same time. So without
 * `far`, the walk would take as long. */
NOINLINE static struct node *walk_far(struct node *n)
{
	long sum = 0;

	for (int i = 0; i < STEPS; i++) {
		sum += n->far;
		n = n->next;
	}
	sink += sum;
	return n;
}

/* `near` decides which child is loaded. The two children are on different cache lines, so each step
 * waits twice. */
NOINLINE static struct node *descend(struct node *n)
{
	for (int i = 0; i < STEPS; i++)
		n = n->child[n->near & 1];
	return n;
}

static void spend(int64_t budget, struct node *(*way)(struct node *), struct node *n)
{
	int64_t end = cpu_ns() + budget;

	while (cpu_ns() < end)
		n = way(n);
}

int main(int argc, char **argv)
{
	int64_t end, start, budget = work_ns(argc, argv, 1.5);
	struct node *list = make_list(), *n = list;
	uint64_t *steps = make_steps();

	link_list(list);
	if (argc > 2) {
		spend(budget, walk_near, list);
		spend(budget, walk_far, list);
		spend(budget, descend, list);
		return 0;
	}
	start = now_ns();
	end = cpu_ns() + budget;
	while (cpu_ns() < end)
		n = walk(n, steps);
	tell_array("list", list, COUNT * sizeof(*list), 0, start, now_ns());
	tell_array("steps", steps, 512 * sizeof(*steps), 0, start, now_ns());
	tell_value("end", n - list);
	tell_value("first_line", FIRST_LINE);
	tell_value("last_line", LAST_LINE);
	return 0;
}

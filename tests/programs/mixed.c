/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Follows a linked list whose nodes are alternately in two blocks. Each load overwrites the
 * register that held its address, and a call follows. So it cannot be known for which of the two
 * blocks the load waited.
 *
 * mixed [SECONDS]
 */
#include "answer.h"

enum { COUNT = 1 << 19, STEPS = 1 << 16 };

struct node {
	struct node *next;
	char rest[120];
};

NOINLINE static struct node *make_left(void)
{
	return must_have(malloc(COUNT * sizeof(struct node)));
}

NOINLINE static struct node *make_right(void)
{
	return must_have(malloc(COUNT * sizeof(struct node)));
}

/* Links the nodes of both blocks into one cycle that alternates between the blocks. */
static void link_list(struct node *left, struct node *right)
{
	uint32_t *order = random_order(COUNT);

	for (uint32_t i = 0; i < COUNT; i++) {
		left[order[i]].next = &right[order[i]];
		right[order[i]].next = &left[order[(i + 1) % COUNT]];
	}
	free(order);
}

NOINLINE static void count(volatile uint64_t *steps)
{
	steps[0]++;
}

NOINLINE static struct node *walk_both(struct node *n, uint64_t *steps)
{
	for (int i = 0; i < STEPS; i++) {
		n = n->next;
		count(steps);
	}
	return n;
}

int main(int argc, char **argv)
{
	int64_t end, budget = work_ns(argc, argv, 1.5);
	struct node *left = make_left(), *right = make_right(), *n = left;
	uint64_t steps = 0;

	link_list(left, right);
	end = cpu_ns() + budget;
	while (cpu_ns() < end)
		n = walk_both(n, &steps);
	tell_value("steps", (int64_t)steps);
	tell_value("left", n == left);
	return 0;
}

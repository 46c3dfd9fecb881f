/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A shared atomic counter: two threads take the numbers of items from it, and look the items up in
 * a table that fits into the cache. With the switch, each thread has its own counter and takes
 * every second item. */
// options -pthread
// object next -DOWN
#include "program.h"
#include "team.h"

enum { THREADS = 2, ITEMS = 20000000, TABLE = 1 << 10 };
struct counter {
	_Alignas(LINE) uint64_t next;
};
#ifdef OWN
static struct counter next[THREADS];
#define TAKE(me) (__atomic_fetch_add(&next[me].next, 1, __ATOMIC_RELAXED) * THREADS + (me))
#else
static struct counter next;
#define TAKE(me) __atomic_fetch_add(&next.next, 1, __ATOMIC_RELAXED)
#endif
static float *table;
static struct {
	_Alignas(LINE) double sum;
} sums[THREADS];

void init(void)
{
	table = malloc(TABLE * sizeof(*table));
	for (int i = 0; i < TABLE; i++)
		table[i] = (float)i;
}

static void kernel_take(int me)
{
	double sum = 0;
	uint64_t i;

	while ((i = TAKE(me)) < ITEMS)
		sum += table[i & (TABLE - 1)] * (double)(i & 7);
	sums[me].sum = sum;
}

double kernel(void)
{
	team_run(THREADS, kernel_take);
	return sums[0].sum + sums[1].sum;
}

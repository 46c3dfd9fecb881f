/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Four threads count atomically, each in its own slot. The slots are next to each other on the
 * heap. Now and then each thread reads a table (32 MiB, at random). With one switch, each slot has
 * its own cache line. The other switch makes the table local. */
// options -pthread
// object slots -DPAD
// object table -DTABLE_MASK=63
#include "program.h"
#include "team.h"

enum { THREADS = 4, ROUNDS = 6000000, TABLE = 1 << 23 };
#ifndef TABLE_MASK
#define TABLE_MASK (TABLE - 1)
#endif
#ifdef PAD
#define SLOT _Alignas(LINE)
#else
#define SLOT
#endif
struct slot {
	SLOT uint64_t hits;
};
static struct slot *slots;
static uint32_t *table;

void init(void)
{
	slots = aligned_alloc(LINE, THREADS * LINE);
	table = malloc(TABLE * sizeof(*table));
	for (int t = 0; t < THREADS; t++)
		slots[t].hits = 0;
	for (int i = 0; i < TABLE; i++)
		table[i] = random_number();
}

static void kernel_count(int me)
{
	uint32_t at = (uint32_t)me;

	for (uint32_t i = 0; i < ROUNDS; i++) {
		if (!(i & 127))
			at = table[MIX(at, i) & TABLE_MASK];
		__atomic_fetch_add(&slots[me].hits, 1 + (at & 1), __ATOMIC_RELAXED);
	}
}

double kernel(void)
{
	team_run(THREADS, kernel_count);
	return (double)(slots[0].hits + slots[3].hits);
}

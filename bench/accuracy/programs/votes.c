/* SPDX-License-Identifier: GPL-2.0-or-later */
/* True sharing, which padding cannot end: two threads count the keys of their streams with atomic
 * operations in the same small table on the heap. With the switch, each thread has its own. */
// options -pthread
// object votes -DOWN
#include "program.h"
#include "team.h"

enum { THREADS = 2, KEYS = 1 << 14, PASSES = 700, VOTES = 64 };
static uint8_t *keys[THREADS];
static uint32_t *votes;
#ifdef OWN
#define TABLE(me) (votes + (me)*VOTES)
#else
#define TABLE(me) votes
#endif

void init(void)
{
	votes = aligned_alloc(LINE, THREADS * VOTES * sizeof(*votes));
	for (int i = 0; i < THREADS * VOTES; i++)
		votes[i] = 0;
	for (int t = 0; t < THREADS; t++) {
		keys[t] = malloc(KEYS);
		for (int i = 0; i < KEYS; i++)
			keys[t][i] = random_number() % VOTES;
	}
}

static void kernel_vote(int me)
{
	for (int pass = 0; pass < PASSES; pass++)
		for (int i = 0; i < KEYS; i++)
			__atomic_fetch_add(&TABLE(me)[keys[me][i]], 1, __ATOMIC_RELAXED);
}

double kernel(void)
{
	team_run(THREADS, kernel_vote);
	return votes[1] + votes[2];
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A case without contention: two threads work on the same small table in turn, each for some
 * milliseconds while the other thread sleeps. With the switch, each thread has its own table, which
 * saves nothing. */
// options -pthread
// object table -DOWN
#include "program.h"
#include "team.h"

enum { THREADS = 2, TURNS = 40, STEPS = 3000000, TABLE = 64 };
#ifdef OWN
#define COPIES THREADS
#else
#define COPIES 1
#endif
static volatile uint32_t table[COPIES][TABLE];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int turn;

void init(void)
{
}

static void kernel_turn(int me)
{
	uint32_t at = 0;

	for (int i = me; i < TURNS; i += THREADS) {
		pthread_mutex_lock(&lock);
		while (turn != i)
			pthread_cond_wait(&changed, &lock);
		pthread_mutex_unlock(&lock);
		for (int k = 0; k < STEPS; k++) {
			at = at * 1664525 + 1013904223;
			table[me % COPIES][at >> 26]++;
		}
		pthread_mutex_lock(&lock);
		turn++;
		pthread_cond_broadcast(&changed);
		pthread_mutex_unlock(&lock);
	}
}

double kernel(void)
{
	team_run(THREADS, kernel_turn);
	return table[0][5];
}

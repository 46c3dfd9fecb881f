/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A lock word next to the data that it protects, in a heap object: while one thread updates the
 * data, the other thread reads the lock word until it is free. With the switch, the data begins at
 * its own cache line. */
// options -pthread
// object account -DPAD
#include "program.h"
#include "team.h"

enum { THREADS = 2, TRANSFERS = 300000, STEPS = 40 };
struct account {
	int locked;
#ifdef PAD
	_Alignas(LINE)
#endif
		volatile double balance[6];
};
static struct account *account;

void init(void)
{
	account = aligned_alloc(LINE, 4 * LINE);
	*account = (struct account){ 0 };
}

static void kernel_lock(int *word)
{
	while (__atomic_exchange_n(word, 1, __ATOMIC_ACQUIRE))
		while (__atomic_load_n(word, __ATOMIC_RELAXED))
			;
}

static void kernel_transfer(int me)
{
	for (int i = 0; i < TRANSFERS; i++) {
		kernel_lock(&account->locked);
		for (int k = 0; k < STEPS; k++)
			account->balance[k % 6] += me + k;
		__atomic_store_n(&account->locked, 0, __ATOMIC_RELEASE);
	}
}

double kernel(void)
{
	team_run(THREADS, kernel_transfer);
	return account->balance[0] + account->balance[5];
}

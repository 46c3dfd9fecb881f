/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A signal handler that allocates in the middle of allocations. The program brings an allocator
 * that is safe in handlers, so that only the tracker is put to the test.
 * uses: bump
 * expect: program */
#include <sys/time.h>

#include "hostile.h"

static volatile long handled;

static void on_alarm(int sig)
{
	void *p = mark();

	handled++;
	free(p);
}

int main(void)
{
	const struct itimerval often = { { 0, 200 }, { 0, 200 } }, never = { { 0, 0 }, { 0, 0 } };
	long n = 0;

	signal(SIGALRM, on_alarm);
	setitimer(ITIMER_REAL, &often, NULL);
	while (handled < 500) {
		pairs(100);
		n += 100;
	}
	setitimer(ITIMER_REAL, &never, NULL);
	hostile_expect(n + handled, n + handled);
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A signal handler allocates while it interrupts allocations. The program uses an allocator that
 * permits this, so that only the tracker is tested. If a handler interrupts the first walk of a
 * stack, the tracker records no stack for the handler's blocks (preload/call_stack.h). This happens
 * to few of the 500 handlers. run.sh checks this (the notation is in hostile.h): uses: bump
 * stackless: 0..50
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

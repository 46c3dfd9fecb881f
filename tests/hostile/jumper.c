/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A timer signal interrupts an arbitrary function, and the signal handler leaves it with
 * siglongjmp().
 * The handler runs on the thread's stack or on an alternate signal stack. If the tracker was
 * capturing a call stack when the signal came, it is not told that the capture ended, and may
 * record no stack for the next block. Few of the 1,000 jumps have that effect.
 * run.sh checks this (the notation is in hostile.h):
 * uses: bump
 * stackless: 0..100
 * expect: program */
#include <setjmp.h>
#include <sys/time.h>

#include "hostile.h"

static sigjmp_buf out;
/* set while the function that called sigsetjmp(out) is active, since a later jump is undefined */
static volatile sig_atomic_t may_jump;
static volatile long begun, done, jumps;

static void on_alarm(int sig)
{
	if (!may_jump)
		return;
	jumps++;
	siglongjmp(out, 1);
}

static void jump_around(int flags, long until)
{
	struct sigaction act = { .sa_handler = on_alarm, .sa_flags = flags };

	sigaction(SIGALRM, &act, NULL);
	sigsetjmp(out, 1);
	may_jump = 1;
	while (jumps < until) {
		begun++;
		free(mark());
		done++;
	}
	may_jump = 0;
}

int main(void)
{
	const struct itimerval often = { { 0, 200 }, { 0, 200 } }, never = { { 0, 0 }, { 0, 0 } };
	static char stack[64 << 10];
	const stack_t alt = { .ss_sp = stack, .ss_size = sizeof(stack) };

	sigaltstack(&alt, NULL);
	signal(SIGALRM, on_alarm);
	setitimer(ITIMER_REAL, &often, NULL);
	jump_around(0, 500);
	jump_around(SA_ONSTACK, 1000);
	setitimer(ITIMER_REAL, &never, NULL);
	signal(SIGALRM, SIG_IGN);
	hostile_expect(done, begun);
	return 0;
}

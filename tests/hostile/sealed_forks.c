/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program forbids itself, in a way that the tracker cannot see, to ask for its limits. Then it
 * forks so often that the tracker would keep slots of the log for the children, which depends on a
 * limit.
 * run.sh checks this (the notation is in hostile.h):
 * expect: births 10 deaths 10 */
#include "bare.h"
#include "seals.h"

static struct sock_filter rules[] = { LOAD_NR, KILL(SYS_prlimit64), ALLOW_OTHERS };
static struct sock_fprog filter = PROGRAM(rules);

int main(void)
{
	pairs(10);
	must(!bare_call(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0), "prctl");
	must(!bare_call(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, (long)&filter), "seccomp");
	for (int i = 0; i < 6; i++) {
		pid_t pid = fork();

		if (!pid)
			_exit(0);
		wait_for(pid);
	}
	puts("sealed forks");
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program forbids itself, in a way that the tracker cannot see, the system calls that the tracker
 * makes at its start. Then it ends by _exit(), and so does a child that never allocated.
 * run.sh checks this (the notation is in hostile.h):
 * expect: births 100 deaths 100 */
#include "bare.h"
#include "seals.h"

static struct sock_filter rules[] = {
	LOAD_NR,
	KILL(SYS_getpid),
	KILL(SYS_gettid),
	KILL(SYS_prctl),
	KILL(SYS_rt_sigprocmask),
	KILL(SYS_madvise),
	KILL(SYS_openat),
	ALLOW_OTHERS,
};
static struct sock_fprog filter = PROGRAM(rules);

static void nothing(void)
{
}

int main(void)
{
	pairs(100);
	if (bare_call(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0) ||
	    bare_call(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, (long)&filter))
		die("seccomp");
	in_child(nothing);
	say("sealed\n");
	_exit(0);
}

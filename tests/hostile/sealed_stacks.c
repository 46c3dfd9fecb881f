/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program that allocates with thousands of different stacks after it has forbidden itself
 * system calls. A child does the same.
 * run.sh checks this (the notation is in hostile.h):
 * expect: births 8200 deaths 8200 */
#include "seals.h"

static struct sock_filter rules[] = {
	LOAD_NR, ALLOW(SYS_write), ALLOW(SYS_exit_group), ALLOW(SYS_brk), KILL_OTHERS,
};
static struct sock_fprog program = PROGRAM(rules);

/* Recurses with two calls at each level, so that it allocates with 2^levels different stacks. */
NOINLINE static void paths(int levels)
{
	if (!levels) {
		pairs(1);
		return;
	}
	paths(levels - 1);
	keep(&levels);
	paths(levels - 1);
	keep(&levels);
}

static void seal(void)
{
	must(!prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program), "seccomp");
	paths(12);
}

static void child(void)
{
	pairs(4);
	seal();
	say("child\n");
}

int main(void)
{
	pairs(4);
	give_up_rights();
	in_child(child);
	seal();
	say("parent\n");
	return 0;
}

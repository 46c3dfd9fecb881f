/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program gives up new privileges, and then forbids itself system calls in a way that the tracker
 * cannot see. For thousands of blocks, for deeper stacks and at the end of the program, the tracker
 * must need no system call.
 * run.sh checks this (the notation is in hostile.h):
 * expect: births 20120 deaths 20120 */
#include "bare.h"
#include "seals.h"

static struct sock_filter rules[] = {
	LOAD_NR, ALLOW(SYS_write), ALLOW(SYS_exit_group), ALLOW(SYS_brk), KILL_OTHERS,
};
static struct sock_fprog filter = PROGRAM(rules);

static NOINLINE void deeper(int n)
{
	char room[3000];

	keep(room);
	pairs(1);
	if (n > 1)
		deeper(n - 1);
	keep(room);
}

int main(void)
{
	pairs(100);
	give_up_rights();
	must(!bare_call(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, (long)&filter), "seccomp");
	pairs(20000);
	deeper(20);
	return write(1, "sealed\n", 7) == 7 ? 0 : 1;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program that forbids itself all but a few system calls (seccomp), with each of the calls
 * that can do this.
 * run.sh checks this (the notation is in hostile.h):
 * expect: births 60000 deaths 60000 */
#include "seals.h"

static struct sock_filter rules[] = {
	LOAD_NR, ALLOW(SYS_write), ALLOW(SYS_exit_group), ALLOW(SYS_brk), KILL_OTHERS,
};
static struct sock_fprog program = PROGRAM(rules);

static void by_prctl(void)
{
	give_up_rights();
	pairs(10000);
	must(!prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program), "seccomp");
	pairs(10000);
	say("prctl\n");
}

static void by_syscall_prctl(void)
{
	give_up_rights();
	pairs(10000);
	must(!syscall(SYS_prctl, PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program), "seccomp");
	pairs(10000);
	say("syscall of prctl\n");
}

int main(void)
{
	in_child(by_prctl);
	in_child(by_syscall_prctl);
	give_up_rights();
	pairs(10000);
	must(!syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program), "seccomp");
	pairs(10000);
	say("syscall of seccomp\n");
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program that uses up all descriptors in a way that the tracker cannot see, and then forbids
 * itself system calls.
 * run.sh checks this (the notation is in hostile.h):
 * expect: births 10100 deaths 10100 */
#include "bare.h"
#include "seals.h"

static struct sock_filter rules[] = {
	LOAD_NR, ALLOW(SYS_write), ALLOW(SYS_exit_group), ALLOW(SYS_brk), KILL_OTHERS,
};
static struct sock_fprog filter = PROGRAM(rules);

int main(void)
{
	while (bare_call(SYS_dup, 1, 0, 0) >= 0) {
	}
	pairs(100);
	give_up_rights();
	must(!prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter), "seccomp");
	pairs(10000);
	say("sealed\n");
	return 0;
}

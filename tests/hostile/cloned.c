/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program that creates children with clone(): with their own memory, with the parent's memory,
 * and like vfork().
 * run.sh checks this (the notation is in hostile.h):
 * expect: births 800 deaths 800 */
#include <sched.h>

#include "hostile.h"

static int child(void *arg)
{
	pairs(100);
	return 0;
}

static void clone_one(int flags)
{
	static char _Alignas(16) stack[128 << 10];

	wait_for(clone(child, stack + sizeof(stack), flags | SIGCHLD, NULL));
	pairs(100);
}

int main(void)
{
	clone_one(0); /* this child starts while the tracker's log is still nearly empty */
	clone_one(CLONE_VM);
	clone_one(CLONE_VM | CLONE_VFORK);
	clone_one(CLONE_FILES | CLONE_FS);
	puts("cloned");
	return 0;
}

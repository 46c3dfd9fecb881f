/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program that forks with a direct system call, so that no pthread_atfork() handler runs.
 * run.sh checks this (the notation is in hostile.h):
 * expect: births 30 deaths 30 */
#include <sys/syscall.h>

#include "hostile.h"

int main(void)
{
	pid_t pid;

	pairs(10);
	pid = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
	if (!pid) {
		pairs(10);
		_exit(0);
	}
	wait_for(pid);
	pairs(10);
	puts("raw fork");
	return 0;
}

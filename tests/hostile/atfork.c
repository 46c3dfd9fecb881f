/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program whose pthread_atfork() handlers allocate.
 * run.sh checks this (the notation is in hostile.h):
 * expect: births 6 deaths 6 */
#include "hostile.h"

static void two(void)
{
	pairs(2);
}

int main(void)
{
	pid_t pid;

	pthread_atfork(two, two, two);
	pid = fork();
	if (!pid)
		exit(0);
	wait_for(pid);
	return 0;
}

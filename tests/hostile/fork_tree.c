/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Children fork children of their own, and a child frees blocks that its parent allocated.
 * run.sh checks this (the notation is in hostile.h):
 * expect: births 60 deaths 60 */
#include "hostile.h"

int main(void)
{
	for (int depth = 0; depth < 6; depth++) {
		pid_t pid = fork();

		if (pid) {
			wait_for(pid);
			return 0;
		}
		pairs(10);
	}
	return 0;
}

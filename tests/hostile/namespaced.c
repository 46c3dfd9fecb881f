/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Processes in different pid namespaces, where each has pid 1.
 * run.sh checks this (the notation is in hostile.h):
 * needs: root
 * expect: births 40 deaths 40 */
#include <sched.h>

#include "hostile.h"

int main(void)
{
	for (int i = 0; i < 4; i++) {
		pid_t pid = fork();

		if (!pid) {
			must(!unshare(CLONE_NEWPID), "unshare");
			pid = fork();
			if (!pid) {
				must(getpid() == 1, "pid 1");
				pairs(10);
				exit(0);
			}
			wait_for(pid);
			_exit(0);
		}
		wait_for(pid);
	}
	puts("namespaced");
	return 0;
}

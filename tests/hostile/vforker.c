/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program whose vfork() child executes the same program.
 * run.sh checks this (the notation is in hostile.h):
 * expect: births 30 deaths 30 */
#include "hostile.h"

int main(int argc, char **argv)
{
	pid_t pid;

	pairs(10);
	if (argc > 1)
		return 0;
	pid = vfork();
	if (!pid) {
		execl("/proc/self/exe", argv[0], "x", (char *)NULL);
		_exit(1);
	}
	wait_for(pid);
	pairs(10);
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program that removes LD_PRELOAD from its environment and executes itself until the variable is
 * gone: by exec, and in children. The tracker must not add itself again for ever.
 * run.sh checks this (the notation is in hostile.h):
 * expect: births 170 deaths 170 */
#include "hostile.h"

int main(int argc, char **argv)
{
	static char path[] = "PATH=/bin", *clean[] = { path, NULL };
	pid_t pid;

	pairs(10);
	if (argc > 1 && !getenv("LD_PRELOAD"))
		return 0;
	if (argc == 1) {
		pid = fork();
		if (!pid) {
			unsetenv("LD_PRELOAD");
			again(argv, "x");
		}
		wait_for(pid);
		puts("clean");
		return 0;
	}
	execve("/proc/self/exe", (char *[]){ argv[0], argv[1], NULL }, clean);
	die("execve");
}

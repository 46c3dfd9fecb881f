/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program overwrites its arguments and its environment in memory, as servers do to change their
 * title. Then it forks, and executes itself with a new environment.
 * run.sh checks this (the notation is in hostile.h):
 * expect: births 300 deaths 300 */
#include "hostile.h"

extern char **environ;

int main(int argc, char **argv)
{
	char path[] = "PATH=/bin", *fresh[] = { path, NULL }, name[] = "titled", word[] = "again";
	char *args[] = { name, word, NULL };
	pid_t pid;

	pairs(100);
	if (argc > 1) {
		printf("%s\n", argv[1]);
		return 0;
	}
	for (char **e = environ; *e; e++)
		memset(*e, 'x', strlen(*e));
	memset(argv[0], 'x', strlen(argv[0]));
	environ = fresh;
	pid = fork();
	if (!pid) {
		pairs(100);
		_exit(0);
	}
	wait_for(pid);
	execve("/proc/self/exe", args, fresh);
	die("execve");
}

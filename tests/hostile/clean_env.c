/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program that executes itself with an empty environment, through each function of the exec
 * family and with syscall().
 * run.sh checks this (the notation is in hostile.h):
 * expect: births 110 deaths 0 */
#include <fcntl.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "hostile.h"

extern char **environ;

int main(int argc, char **argv)
{
	char x[] = "x", *const args[] = { argv[0], x, NULL };
	char *none[] = { NULL };
	char self[] = "/proc/self/exe";

	births(10);
	if (argc > 1)
		return getenv("PATH") != NULL;
	for (int i = 0; i < 10; i++) {
		pid_t pid = i == 6 ? 0 : fork();

		if (i == 6)
			must(!posix_spawn(&pid, self, NULL, NULL, args, none), "posix_spawn");
		if (!pid) {
			if (i == 0)
				execve(self, args, none);
			if (i == 1)
				execle(self, argv[0], "x", (char *)NULL, none);
			if (i == 2)
				execvpe(self, args, none);
			if (i == 3)
				fexecve(open(self, O_RDONLY | O_CLOEXEC), args, none);
#if __GLIBC_PREREQ(2, 34)
			if (i == 4)
				execveat(open("/proc/self", O_PATH), "exe", args, none, 0);
#endif
			if (i == 7)
				syscall(SYS_execve, self, args, none);
			if (i == 8)
				syscall(SYS_execveat, AT_FDCWD, self, args, none, 0);
			if (i == 9)
				syscall(SYS_execveat, open(self, O_PATH), "", args, none,
					AT_EMPTY_PATH);
			environ = none;
			execv(self, args);
			_exit(1);
		}
		wait_for(pid);
	}
	return 0;
}

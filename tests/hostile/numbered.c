/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program with a library in which libc's functions are replaced by ones that call syscall(), so a
 * hook of syscall() that called these functions would never end.
 * run.sh checks this (the notation is in hostile.h):
 * uses: by_number
 * expect: births 60 deaths 0 */
#include <sys/syscall.h>

#include "hostile.h"

int execveat(int fd, const char *path, char *const argv[], char *const envp[], int flags);

static void execute(int how)
{
	char self[] = "/proc/self/exe", x[] = "x", *const args[] = { self, x, NULL };
	char *none[] = { NULL };

	if (how == 0)
		execve(self, args, none);
	if (how == 1)
		execveat(AT_FDCWD, self, args, none, 0);
	if (how == 2)
		syscall(SYS_execve, self, args, none);
	if (how == 3)
		syscall(SYS_execveat, AT_FDCWD, self, args, none, 0);
	die("exec");
}

int main(int argc, char **argv)
{
	struct rlimit64 limit;

	births(10);
	if (argc > 1)
		return 0;
	for (int how = 0; how < 4; how++) {
		pid_t pid = fork();

		if (!pid)
			execute(how);
		wait_for(pid);
	}
	mlockall(MCL_CURRENT); /* may be forbidden */
	must(!prlimit64(0, RLIMIT_CORE, NULL, &limit), "prlimit64");
	must(!prlimit64(0, RLIMIT_CORE, &limit, NULL), "prlimit64");
	must(!setrlimit64(RLIMIT_CORE, &limit), "setrlimit64");
	births(10);
	_exit(0);
}

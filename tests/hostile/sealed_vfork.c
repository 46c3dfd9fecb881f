/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Children of vfork() forbid themselves system calls that the tracker makes when an image starts.
 * Then they execute another program or end. The parent is not sealed, so it and its later children
 * are still tracked, except for the first program that it starts after a child was killed. run.sh
 * checks this (the notation is in hostile.h): expect: births 400 deaths 400 */
#include <spawn.h>

#include "seals.h"

extern char **environ;

static struct sock_filter rules[] = {
	LOAD_NR,
	KILL(SYS_getpid),
	KILL(SYS_rt_sigprocmask),
	KILL(SYS_ftruncate),
	KILL(SYS_faccessat),
	ALLOW_OTHERS,
};
static struct sock_fprog filter = PROGRAM(rules);

static void seal(void)
{
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
}

static void killed(void)
{
	pid_t pid = vfork();
	int status = 0;

	if (!pid) {
		seal();
		syscall(SYS_getpid);
		_exit(0);
	}
	must(waitpid(pid, &status, 0) == pid && WIFSIGNALED(status), "killed");
}

int main(int argc, char **argv)
{
	char word[] = "again", *args[] = { argv[0], word, NULL };

	pairs(100);
	if (argc > 1) {
		puts("again");
		return 0;
	}
	for (int way = 0; way < 4; way++) {
		pid_t pid = vfork();

		if (!pid) {
			if (way < 3)
				seal();
			if (way == 0)
				_exit(0);
			if (way == 1)
				execve("/no/such/program", args, environ);
			execv("/proc/self/exe", args);
			_exit(1);
		}
		wait_for(pid);
	}
	killed();
	for (int i = 0; i < 2; i++) {
		pid_t pid;

		must(!posix_spawn(&pid, "/proc/self/exe", NULL, NULL, args, environ), "spawned");
		wait_for(pid);
	}
	pairs(100);
	return 0;
}

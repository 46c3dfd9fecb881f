/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program forbids itself system calls that the tracker makes when an image starts. Children and
 * programs that start after that must run, without a log.
 * run.sh checks this (the notation is in hostile.h):
 * expect: births 12000 deaths 12000 */
#include <spawn.h>

#include "seals.h"

extern char **environ;

static struct sock_filter rules[] = {
	KILL(SYS_gettid),
	KILL(SYS_readlinkat),
	KILL(SYS_sched_getaffinity),
	ALLOW_OTHERS,
};
static struct sock_filter no_masks[] = {
	LOAD_NR,
	KILL(SYS_rt_sigprocmask),
	ALLOW_OTHERS,
};
static struct sock_fprog program = PROGRAM(rules), masks = PROGRAM(no_masks);
static char *self;

static void child(void)
{
	pairs(100);
	say("child\n");
}

static void with_environment(void)
{
	char *const args[] = { self, (char *)(uintptr_t) "again", NULL };

	execve("/proc/self/exe", args, environ);
	die("execve");
}

static void without_environment(void)
{
	char *const args[] = { self, (char *)(uintptr_t) "again", NULL };
	char *const none[] = { NULL };

	execve("/proc/self/exe", args, none);
	die("execve");
}

static void spawned(void)
{
	char *const args[] = { self, (char *)(uintptr_t) "again", NULL };
	pid_t pid;

	must(!posix_spawn(&pid, "/proc/self/exe", NULL, NULL, args, environ), "spawned");
	wait_for(pid);
}

static void masked(void)
{
	must(!prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &masks), "seccomp");
	with_environment();
}

int main(int argc, char **argv)
{
	self = argv[0];
	if (argc > 1) {
		pairs(100);
		say("again\n");
		return 0;
	}
	pairs(6000);
	give_up_rights();
	must(!prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program), "seccomp");
	pairs(6000);
	in_child(child);
	in_child(with_environment);
	in_child(without_environment);
	in_child(spawned);
	in_child(masked);
	must(!system("echo from the shell"), "system");
	return 0;
}

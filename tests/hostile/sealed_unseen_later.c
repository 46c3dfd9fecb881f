/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program forbids itself, in a way that the tracker cannot see, system calls that the tracker
 * makes. Later it starts threads, children and programs, and allocates more than a chunk has room
 * for. They must run, and what the tracker cannot record must be counted.
 * run.sh checks this (the notation is in hostile.h):
 * expect: births 101..400 deaths 101..400
 * lost: 119400..120000 */
#include <spawn.h>

#include "bare.h"
#include "seals.h"

extern char **environ;

static struct sock_filter rules[] = {
	LOAD_NR,
	KILL(SYS_getpid),
	KILL(SYS_gettid),
	KILL(SYS_getppid),
	KILL(SYS_readlinkat),
	KILL(SYS_sched_getaffinity),
	KILL(SYS_truncate),
	KILL(SYS_faccessat),
	KILL(SYS_mremap),
	ALLOW_OTHERS,
};
static struct sock_fprog filter = PROGRAM(rules);
static char *self;

static void child(void)
{
	pairs(100);
	say("child\n");
}

static void *in_thread(void *arg)
{
	pairs(10000);
	return NULL;
}

static void executed(void)
{
	char word[] = "again", *args[] = { self, word, NULL };

	execve("/no/such/program", args, environ);
	execve("/proc/self/exe", args, environ);
	die("execve");
}

static void spawned(void)
{
	char word[] = "again", *args[] = { self, word, NULL };
	pid_t pid;

	must(!posix_spawn(&pid, "/proc/self/exe", NULL, NULL, args, environ), "spawned");
	wait_for(pid);
}

int main(int argc, char **argv)
{
	pthread_t t[2];

	self = argv[0];
	pairs(100);
	if (argc > 1) {
		say("again\n");
		return 0;
	}
	if (bare_call(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0) ||
	    bare_call(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, (long)&filter))
		die("seccomp");
	in_child(child);
	in_child(executed);
	spawned();
	start_threads(t, 2, in_thread, NULL);
	join_threads(t, 2);
	pairs(40000);
	in_child(child);
	in_child(executed);
	spawned();
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel kills a thread of this program that reads the time-stamp counter (strict seccomp).
 * The tracker then counts events, because it cannot give them a time.
 * run.sh checks this (the notation is in hostile.h):
 * expect: births 500 deaths 500
 * lost: 1602..1612 */
#include "seals.h"

static void strict(void)
{
	pairs(100);
	must(!prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT, 0, 0, 0), "strict");
	pairs(100);
	say("strict\n");
	syscall(SYS_exit, 0);
}

static void strict_by_syscall(void)
{
	pairs(100);
	must(!syscall(SYS_seccomp, SECCOMP_SET_MODE_STRICT, 0, NULL), "strict");
	pairs(100);
	say("strict\n");
	syscall(SYS_exit, 0);
}

static void *in_thread(void *arg)
{
	pairs(100);
	return NULL;
}

static void child(void)
{
	pairs(100);
	say("child\n");
}

#if defined(__x86_64__)
static void set_counter(int mode)
{
	must(!prctl(PR_SET_TSC, mode, 0, 0, 0), "PR_SET_TSC");
}
#else
static void set_counter(int mode)
{
}
#endif

int main(void)
{
	pthread_t t;
	void *p;

	in_child(strict);
	in_child(strict_by_syscall);
	pairs(100);
	set_counter(PR_TSC_SIGSEGV);
	pairs(400);
	p = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	must(p != MAP_FAILED && !munmap(p, 8192), "mmap");
	free(keep(realloc(keep(malloc(8)), 64)));
	start_threads(&t, 1, in_thread, NULL);
	join_threads(&t, 1);
	in_child(child);
	set_counter(PR_TSC_ENABLE);
	pairs(200);
	say("main\n");
	return 0;
}

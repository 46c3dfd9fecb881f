/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program that forks so often that the tracker promises slots of the log to the children, in all
 * ways in which a child may get the wrong promise: it is made by a direct system call, so that it
 * knows the promise of an earlier child; it logs nothing, and its own child knows its promise; it
 * forks more often than it has slots; several threads fork at once. run.sh checks this (the
 * notation is in hostile.h): expect: births 401 deaths 401 */
#include <sys/syscall.h>

#include "hostile.h"

enum { ROUNDS = 30, CHILDREN = 5, THREADS = 4, FORKS = 40 };

static void child_of_fork(int children)
{
	pid_t pid = fork();

	if (pid) {
		wait_for(pid);
		return;
	}
	pairs(1);
	for (int i = 0; i < children; i++)
		child_of_fork(0);
	_exit(0);
}

static void child_of_call(void)
{
	pid_t pid = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);

	if (pid) {
		wait_for(pid);
		return;
	}
	pairs(1);
	_exit(0);
}

static void child_that_logs_nothing(void)
{
	pid_t pid = fork();

	if (pid) {
		wait_for(pid);
		return;
	}
	child_of_fork(0);
	_exit(0);
}

static void *fork_often(void *unused)
{
	(void)unused;
	for (int i = 0; i < FORKS; i++)
		child_of_fork(0);
	return NULL;
}

int main(void)
{
	pthread_t t[THREADS];

	pairs(1);
	for (int i = 0; i < ROUNDS; i++) {
		child_of_fork(CHILDREN);
		child_of_call();
		child_that_logs_nothing();
	}
	start_threads(t, THREADS, fork_often, NULL);
	join_threads(t, THREADS);
	puts("promised");
	return 0;
}

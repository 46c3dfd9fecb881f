/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Creates children that try in vain to execute a program, until a signal handler calls _exit() or
 * execve() at a random moment. Also creates a child by vfork(), which ends. Then the function
 * last() stores 3000 times, and the process executes the program `true` by PATH.
 */
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHILDREN = 200, N = 3000 };

static volatile long array[N];
static char name[] = "true";
static char *const command[] = { name, NULL }, *const none[] = { NULL };

/* Interrupts wait(). */
static void on_hang(int s)
{
	(void)s;
}

static void end_by_exit(int s)
{
	(void)s;
	_exit(0);
}

static void end_by_exec(int s)
{
	(void)s;
	execve("/bin/true", command, none);
	_exit(1);
}

static void child(int i)
{
	const struct itimerval soon = { { 0, 1000 }, { 0, 1 + rand() % 1000 } };

	signal(SIGALRM, i % 2 ? end_by_exec : end_by_exit);
	setitimer(ITIMER_REAL, &soon, NULL);
	for (;;) {
		for (int k = 0; k < 100; k++)
			array[k]++;
		execve("/nonexistent", command, none);
	}
}

__attribute__((noinline)) static void last(void)
{
	for (int i = 0; i < N; i++)
		array[i] = i;
}

static bool runs(int i)
{
	const pid_t p = (rand(), fork());
	int status = 0;

	if (!p)
		child(i);
	if (p > 0 && wait(&status) != p)
		kill(p, SIGKILL);
	else if (p > 0)
		return !status;
	return false;
}

int main(void)
{
	const struct sigaction hang = { .sa_handler = on_hang };
	int status;

	sigaction(SIGALRM, &hang, NULL);
	alarm(120);
	for (int i = 0; i < CHILDREN; i++)
		if (!runs(i))
			return 1;
	alarm(0);
	if (!vfork())
		_exit(0);
	wait(&status);
	last();
	execlp("true", "true", NULL);
	return 2;
}

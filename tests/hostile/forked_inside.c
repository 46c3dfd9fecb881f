/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Signal handlers fork while the program maps memory from thousands of different call paths. So the
 * tracker is often interrupted while it remembers a stack. Each child maps memory in the handler,
 * and then returns from it.
 * run.sh checks this (the notation is in hostile.h):
 * expect: births 800 deaths 800
 * stackless: 0..2000 */
#include <sys/time.h>

#include "hostile.h"

enum { CHILDREN = 400, MOST_PATHS = 10000000 };

static volatile int children, in_child;

static NOINLINE void map_once(void)
{
	void *p = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	munmap(p, 8192);
}

/* Calls itself `depth` times. The bits of `path` choose between two places of the call. */
static NOINLINE void descend(unsigned depth, unsigned path)
{
	char room[32];

	keep(room);
	if (!depth)
		map_once();
	else if (path & 1)
		descend(depth - 1, path >> 1);
	else
		descend(depth - 1, path >> 1 ^ 0x5555);
	keep(room);
}

static void on_timer(int sig)
{
	int error = errno;
	pid_t pid;

	(void)sig;
	if (in_child || children == CHILDREN)
		return;
	pid = fork();
	if (!pid) {
		in_child = 1;
		descend(3, 5);
	} else if (pid > 0) {
		children++;
	}
	errno = error;
}

static unsigned next_random(unsigned r)
{
	return r * 1103515245 + 12345;
}

static void be_child(unsigned r)
{
	for (int i = 0; i < 200; i++) {
		r = next_random(r);
		descend((r >> 16) % 40, r >> 8);
	}
	pairs(2);
	_exit(0);
}

int main(void)
{
	struct itimerval often = { { 0, 500 }, { 0, 500 } }, never = { { 0, 0 }, { 0, 0 } };
	struct sigaction a = { .sa_handler = on_timer, .sa_flags = SA_RESTART };
	int status, bad = 0;
	unsigned r = 1;
	pid_t pid;

	sigaction(SIGALRM, &a, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	for (int i = 0; children < CHILDREN && i < MOST_PATHS; i++) {
		r = next_random(r);
		descend((r >> 16) % 40, r >> 8);
		if (in_child)
			be_child(r);
	}
	setitimer(ITIMER_REAL, &never, NULL);
	while ((pid = waitpid(-1, &status, 0)) > 0 || errno == EINTR)
		bad += pid > 0 && status;
	printf("%d bad children\n", bad);
	return 0;
}

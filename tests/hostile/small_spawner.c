/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Threads with small stacks start programs with an environment of thousands of variables. These do
 * not include the tracker's variables, so the tracker adds them, and must not need much stack for
 * that.
 * run.sh checks this (the notation is in hostile.h):
 * expect: births 40 deaths 40 */
#include "hostile.h"

#include <spawn.h>

enum { VARIABLES = 5000, STACK = 32 << 10 };

static char text[VARIABLES][16], *wide[VARIABLES + 1];
static char *self;

static void *start(void *by_vfork)
{
	char word[] = "again", *args[] = { self, word, NULL };
	pid_t pid;

	if (!by_vfork) {
		must(!posix_spawn(&pid, "/proc/self/exe", NULL, NULL, args, wide), "spawned");
	} else {
		pid = vfork();
		if (!pid) {
			execve("/proc/self/exe", args, wide);
			_exit(1);
		}
	}
	wait_for(pid);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_attr_t a;

	self = argv[0];
	pairs(10);
	if (argc > 1)
		return 0;
	for (int i = 0; i < VARIABLES; i++) {
		snprintf(text[i], sizeof(text[i]), "WIDE_%d=", i);
		wide[i] = text[i];
	}
	pthread_attr_init(&a);
	pthread_attr_setstacksize(&a, STACK);
	for (int i = 0; i < 3; i++) {
		pthread_t t;

		must(!pthread_create(&t, &a, start, i ? self : NULL), "thread");
		pthread_join(t, NULL);
	}
	return 0;
}

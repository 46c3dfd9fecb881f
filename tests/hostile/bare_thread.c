/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Threads that never allocated end the process, each in a different way.
 * run.sh checks this (the notation is in hostile.h):
 * expect: births 4 deaths 4 */
#include "hostile.h"

static void *end(void *arg)
{
	char name[] = "true", *const args[] = { name, NULL }, *const none[] = { NULL };

	switch ((size_t)arg) {
	case 0:
		_exit(0);
	case 1:
		quick_exit(0);
	case 2:
		exit(0);
	default:
		execve("/proc/self/exe", args, none);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t t;

	if (!argc || !strcmp(argv[0], "true"))
		_exit(0);
	for (size_t how = 0; how < 4; how++) {
		pid_t pid = fork();

		if (!pid) {
			pairs(1);
			start_threads(&t, 1, end, (void *)how);
			pause();
		}
		wait_for(pid);
	}
	puts("all ended");
	return 0;
}

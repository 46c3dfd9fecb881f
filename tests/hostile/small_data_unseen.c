/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program limits its private writable memory (RLIMIT_DATA) right at its start, in a way that the
 * tracker cannot see, to 2 MiB more than it needs. A child and threads allocate, too.
 * run.sh checks this (the notation is in hostile.h):
 * expect: births 40000 deaths 40000 */
#include "bare.h"
#include "hostile.h"

static void *in_thread(void *arg)
{
	pairs(10000);
	return NULL;
}

int main(void)
{
	struct rlimit limit = { 8 << 20, 8 << 20 };
	pthread_t t;
	void *big;
	pid_t pid;

	must(!bare_call(SYS_prlimit64, 0, RLIMIT_DATA, (long)&limit), "prlimit64");
	big = keep(malloc(6 << 20));
	must(big != NULL, "6 MiB are there");
	must(!keep(malloc(8 << 20)), "8 MiB are not");
	pairs(10000);
	pid = fork();
	if (!pid) {
		pairs(10000);
		_exit(0);
	}
	wait_for(pid);
	free(big);
	start_threads(&t, 1, in_thread, NULL);
	join_threads(&t, 1);
	pairs(10000);
	puts("data");
	return 0;
}

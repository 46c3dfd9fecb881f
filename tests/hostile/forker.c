/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program that forks while other threads allocate. The children allocate, too.
 * run.sh checks this (the notation is in hostile.h):
 * expect: births 40400 deaths 40400 */
#include "hostile.h"

static void *churn(void *arg)
{
	pairs(10000);
	return NULL;
}

int main(void)
{
	pthread_t t[4];

	start_threads(t, 4, churn, NULL);
	for (int i = 0; i < 20; i++) {
		pid_t pid = fork();

		if (!pid) {
			pairs(20);
			exit(0);
		}
		wait_for(pid);
	}
	join_threads(t, 4);
	puts("forker");
	return 0;
}

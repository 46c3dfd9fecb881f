/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program that uses up all descriptors right at its start, in a way that the tracker cannot
 * see. Then it allocates much, in threads and in children, too.
 * run.sh checks this (the notation is in hostile.h):
 * expect: births 316000 deaths 316000 */
#include "bare.h"
#include "hostile.h"

static void *churn(void *arg)
{
	pairs(1000);
	return NULL;
}

static void in_child(void body(void))
{
	pid_t pid = fork();

	if (!pid) {
		body();
		exit(0);
	}
	wait_for(pid);
}

static void grandchild(void)
{
	pairs(4000);
}

static void child(void)
{
	pairs(2000);
	in_child(grandchild);
	pairs(2000);
}

int main(void)
{
	pthread_t t[4];

	while (bare_call(SYS_dup, 1, 0, 0) >= 0) {
	}
	in_child(child);
	pairs(200000);
	start_threads(t, 4, churn, NULL);
	join_threads(t, 4);
	in_child(grandchild);
	pairs(100000);
	puts("unseen files");
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program that has used up all descriptors creates threads and forks a child.
 * run.sh checks this (the notation is in hostile.h):
 * expect: births 4100 deaths 4100 */
#include "hostile.h"

static void *churn(void *arg)
{
	pairs(1000);
	return NULL;
}

int main(void)
{
	struct rlimit none = { 0, 0 };
	pthread_t t[4];

	must(!setrlimit(RLIMIT_NOFILE, &none), "setrlimit");
	pairs(100);
	start_threads(t, 4, churn, NULL);
	join_threads(t, 4);
	puts("no files");
	return 0;
}

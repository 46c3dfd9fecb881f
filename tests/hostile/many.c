/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program that allocates many blocks in sixty-four threads. The test of a full disk uses it,
 * too.
 * run.sh checks this (the notation is in hostile.h):
 * expect: births 640000 deaths 640000 */
#include "hostile.h"

static void *churn(void *arg)
{
	pairs(10000);
	return NULL;
}

int main(void)
{
	pthread_t t[64];

	start_threads(t, 64, churn, NULL);
	join_threads(t, 64);
	puts("many");
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* main() ends with pthread_exit(), so the process ends with its last thread.
 * run.sh checks this (the notation is in hostile.h):
 * expect: births 101 deaths 101 */
#include "hostile.h"

static void *run(void *arg)
{
	usleep(50000);
	pairs(100);
	return NULL;
}

int main(void)
{
	pthread_t t;

	start_threads(&t, 1, run, NULL);
	pthread_detach(t);
	pairs(1);
	pthread_exit(NULL);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program that calls _exit() while other threads run.
 * run.sh checks this (the notation is in hostile.h):
 * expect: births 1000 deaths 0 */
#include "hostile.h"

static void *idle(void *arg)
{
	pause();
	return NULL;
}

int main(void)
{
	pthread_t t[3];

	start_threads(t, 3, idle, NULL);
	births(1000);
	_exit(7);
}

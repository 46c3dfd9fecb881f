/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program that is killed by SIGKILL. The log must have all events.
 * run.sh checks this (the notation is in hostile.h):
 * expect: births 50000 deaths 0 */
#include "hostile.h"

int main(void)
{
	births(50000);
	kill(getpid(), SIGKILL);
	return 0;
}

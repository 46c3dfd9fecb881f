/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program that executes itself ten times in one process.
 * run.sh checks this (the notation is in hostile.h):
 * expect: births 100 deaths 0 */
#include "hostile.h"

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 0;
	char next[16];

	births(10);
	if (n == 9)
		return 5;
	snprintf(next, sizeof(next), "%d", n + 1);
	again(argv, next);
}

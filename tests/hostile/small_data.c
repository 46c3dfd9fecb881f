/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program that limits its private writable memory (RLIMIT_DATA) to less than the tracker's
 * library needs, and executes itself. So the second image runs without the tracker.
 * run.sh checks this (the notation is in hostile.h):
 * expect: births 10 deaths 10 */
#include "hostile.h"

int main(int argc, char **argv)
{
	struct rlimit limit = { 3 << 20, 3 << 20 };

	pairs(10);
	if (argc > 1) {
		puts("data");
		return 0;
	}
	must(!setrlimit(RLIMIT_DATA, &limit), "setrlimit");
	again(argv, "x");
}

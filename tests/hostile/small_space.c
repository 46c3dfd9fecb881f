/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program that limits its address space to a little more than it needs without the tracker.
 * run.sh checks this (the notation is in hostile.h):
 * expect: births 100000 deaths 100000 */
#include "hostile.h"

int main(int argc, char **argv)
{
	struct rlimit limit = { 512 << 20, 512 << 20 };

	must(!setrlimit(RLIMIT_AS, &limit), "setrlimit");
	for (int i = 0; i < 2; i++) {
		void *big = keep(malloc(200 << 20));

		must(big != NULL, "200 MiB are there");
		must(!keep(malloc(600 << 20)), "600 MiB are not");
		pairs(25000);
		free(big);
	}
	puts("space");
	fflush(stdout);
	if (argc == 1)
		again(argv, "x");
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program with little address space, so that the tracker maps its long log in small windows,
 * one after the other. When it needs the next window, no descriptor is available.
 * run.sh checks this (the notation is in hostile.h):
 * expect: births 3000000 deaths 3000000 */
#include "hostile.h"

int main(int argc, char **argv)
{
	struct rlimit space = { 1 << 30, 1 << 30 }, none = { 0, 0 };

	if (argc == 1) {
		must(!setrlimit(RLIMIT_AS, &space), "setrlimit");
		again(argv, "x");
	}
	must(!setrlimit(RLIMIT_NOFILE, &none), "setrlimit");
	pairs(3000000);
	puts("grown");
	return 0;
}

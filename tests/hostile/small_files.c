/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program that limits the size of its files. It also starts another program under a soft limit,
 * which must still be recorded.
 * run.sh checks this (the notation is in hostile.h):
 * expect: births 250000 deaths 250000 */
#include "hostile.h"

int main(int argc, char **argv)
{
	struct rlimit limit;

	if (argc > 1) {
		pairs(50000);
		getrlimit(RLIMIT_FSIZE, &limit);
		must(limit.rlim_cur == 4096, "the limit is as it was");
		return 0;
	}
	getrlimit(RLIMIT_FSIZE, &limit);
	limit.rlim_cur = 4096;
	must(!setrlimit(RLIMIT_FSIZE, &limit), "setrlimit");
	pairs(200000);
	again(argv, "x");
}

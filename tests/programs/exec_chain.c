/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two programs in one process: works on an array and then executes another program.
 *
 * exec_chain PROGRAM [ARGUMENT...]
 */
#include "work.h"

enum { COUNT = 1 << 20 };

NOINLINE static uint64_t *make_before(void)
{
	return must_have(calloc(COUNT, sizeof(uint64_t)));
}

int main(int argc, char **argv)
{
	if (argc < 2)
		return 2;
	work_on("before", make_before(), COUNT, 700000000);
	execv(argv[1], argv + 1);
	perror("execv");
	return 2;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * After fork(), parent and child each allocate an array, probably at the same address. Each also
 * has a copy of an array from before the fork.
 */
#include <sys/wait.h>

#include "work.h"

enum { COUNT = 1 << 20 };

NOINLINE static uint64_t *make_common(void)
{
	return must_have(calloc(COUNT, sizeof(uint64_t)));
}

NOINLINE static uint64_t *make_parents(void)
{
	return must_have(calloc(COUNT, sizeof(uint64_t)));
}

NOINLINE static uint64_t *make_childs(void)
{
	return must_have(calloc(COUNT, sizeof(uint64_t)));
}

int main(int argc, char **argv)
{
	int64_t budget = work_ns(argc, argv, 0.6);
	uint64_t *common = make_common();
	pid_t child;
	int status;

	memset(common, 1, COUNT * sizeof(*common));
	child = fork();
	if (child < 0)
		return 2;
	if (child == 0) {
		work_on("common_child", common, COUNT, budget);
		work_on("child", make_childs(), COUNT, budget);
		_exit(0);
	}
	work_on("common_parent", common, COUNT, budget);
	work_on("parent", make_parents(), COUNT, budget);
	if (waitpid(child, &status, 0) != child || status)
		return 2;
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Children are killed or crash, some before and some after their log had to grow.
 * run.sh checks this (the notation is in hostile.h):
 * expect: births 12480 deaths 12000 */
#include "hostile.h"

int main(void)
{
	static const int sizes[] = { 10, 90, 700, 5200 };

	for (int i = 0; i < 8; i++) {
		pid_t pid = fork();
		int status;

		if (!pid) {
			pairs(sizes[i / 2]);
			births(60);
			if (i % 2)
				kill(getpid(), SIGKILL);
			__builtin_trap();
		}
		must(waitpid(pid, &status, 0) == pid && WIFSIGNALED(status), "a child was killed");
	}
	puts("killed early");
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program forbids itself to open and to create any file (landlock), with calls that no hook
 * handles. It and its children still have logs.
 * run.sh checks this (the notation is in hostile.h):
 * expect: births 54000 deaths 54000 */
#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "hostile.h"

int main(void)
{
	struct landlock_ruleset_attr rules = { .handled_access_fs = (1ull << 13) - 1 };
	int fd = (int)syscall(SYS_landlock_create_ruleset, &rules, sizeof(rules), 0);

	if (fd < 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    syscall(SYS_landlock_restrict_self, fd, 0))
		die("landlock");
	must(open("/dev/null", O_RDWR) < 0, "no file can be opened");
	for (int i = 0; i < 2; i++) {
		pid_t pid = fork();

		if (!pid) {
			pairs(2000);
			_exit(0);
		}
		wait_for(pid);
	}
	pairs(50000);
	puts("landlocked");
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program that changes its root directory and its user right at its start, in a way that the
 * tracker cannot see. Then it forks children.
 * run.sh checks this (the notation is in hostile.h):
 * needs: root
 * expect: births 54000 deaths 54000 */
#include "bare.h"
#include "hostile.h"

int main(void)
{
	char name[] = "/tmp/hostile-XXXXXX";

	/* removed while it is the working directory, so that the test leaves no folder behind */
	if (!mkdtemp(name) || chdir(name) || rmdir(name))
		die("folder");
	if (bare_call(SYS_chroot, (long)".", 0, 0) || bare_call(SYS_setgid, 65534, 0, 0) ||
	    bare_call(SYS_setuid, 65534, 0, 0))
		die("rights");
	for (int i = 0; i < 2; i++) {
		pid_t pid = fork();

		if (!pid) {
			pairs(2000);
			_exit(0);
		}
		wait_for(pid);
	}
	pairs(50000);
	puts("unseen rights");
	return 0;
}

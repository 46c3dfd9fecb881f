/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program whose seccomp calls fail, as libseccomp makes them to test the kernel. It is not
 * sealed, so the tracker must continue as before.
 * run.sh checks this (the notation is in hostile.h):
 * expect: births 600000 deaths 600000 */
#include "seals.h"

int main(void)
{
	pairs(1000);
	for (int i = 0; i < 10; i++) {
		must(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, NULL) && errno == EFAULT, "");
		must(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 1u << 30, NULL) &&
			     errno == EINVAL,
		     "");
		must(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, NULL) && errno == EFAULT, "");
		must(syscall(SYS_prctl, PR_SET_SECCOMP, 77, NULL) && errno == EINVAL, "");
	}
	pairs(599000);
	puts("not sealed");
	return 0;
}

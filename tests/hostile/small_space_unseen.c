/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program that limits its address space right at its start, in a way that the tracker cannot
 * see.
 * run.sh checks this (the notation is in hostile.h):
 * expect: births 50000 deaths 50000 */
#include <sys/syscall.h>

#include "hostile.h"

int main(void)
{
	struct rlimit limit = { 32 << 20, 32 << 20 };

	must(!syscall(SYS_prlimit64, 0, RLIMIT_AS, &limit, NULL), "prlimit64");
	pairs(50000);
	puts("space");
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Limits its address space by syscall(), right at its start.
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

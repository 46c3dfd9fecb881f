/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program that locks all its memory. The tracker's mapping of the log must not become resident
 * because of that.
 * run.sh reads this (see hostile.h; births are allocations, deaths their ends):
 * needs: root
 * expect: births 20000 deaths 20000 */
#include "hostile.h"

int main(void)
{
	pairs(10000);
	must(!mlockall(MCL_CURRENT | MCL_FUTURE), "mlockall");
	pairs(10000);
	puts("locked");
	return 0;
}

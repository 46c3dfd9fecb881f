/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program that locks all its memory with mlockall(). This must not make the tracker's mapping of
 * the log resident.
 * run.sh checks this (the notation is in hostile.h):
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

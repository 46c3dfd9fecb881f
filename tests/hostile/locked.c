/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Locks all its memory: the log's mapping must not be filled for that.
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

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The log of a long run: more than one window of small size, and rates that fill chunks fast.
 * expect: births 3000000 deaths 3000000 */
#include "hostile.h"

int main(void)
{
	pairs(3000000);
	puts("grown");
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Dies by SIGKILL: nothing of the log may be missing.
 * expect: births 50000 deaths 0 */
#include "hostile.h"

int main(void)
{
	births(50000);
	kill(getpid(), SIGKILL);
	return 0;
}

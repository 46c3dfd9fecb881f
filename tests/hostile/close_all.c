/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Closes every descriptor, then its own file gets a low number and must hold its own bytes only.
 * expect: births 20000 deaths 20000 */
#include "hostile.h"

int main(void)
{
	char name[] = "/tmp/hostile-XXXXXX";
	int fd, ok;

	pairs(10000);
	for (int i = 0; i < 4096; i++)
		close(i);
	fd = mkstemp(name);
	unlink(name);
	pairs(10000);
	ok = fd == 0 && write(fd, "mine", 4) == 4 && lseek(fd, 0, SEEK_END) == 4;
	return ok ? 0 : 1;
}

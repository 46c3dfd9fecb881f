/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program that closes every descriptor and then opens a file, which gets a low number. The
 * tracker must not write into that file.
 * run.sh checks this (the notation is in hostile.h):
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

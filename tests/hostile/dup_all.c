/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program that makes the descriptors 3 to 999 refer to a file of its own, by dup2(). The tracker
 * must not write into that file.
 * run.sh checks this (the notation is in hostile.h):
 * expect: births 20000 deaths 20000 */
#include "hostile.h"

int main(void)
{
	char name[] = "/tmp/hostile-XXXXXX";
	int fd = mkstemp(name);

	unlink(name);
	pairs(10000);
	for (int i = 3; i < 1000; i++)
		if (i != fd)
			dup2(fd, i);
	pairs(10000);
	must(lseek(fd, 0, SEEK_END) == 0, "nothing was written to the file");
	puts("dup");
	return 0;
}

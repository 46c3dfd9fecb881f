/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program that becomes a daemon twice and continues to allocate.
 * run.sh checks this (the notation is in hostile.h):
 * expect: births 3000 deaths 3000 */
#include "hostile.h"

int main(void)
{
	int end[2];
	char c;

	must(!pipe(end), "pipe");
	if (fork()) {
		close(end[1]);
		return read(end[0], &c, 1) == 1 ? 0 : 1; /* waits until the daemon has finished */
	}
	for (int i = 0; i < 2; i++) {
		pairs(1000);
		must(!daemon(0, 1), "daemon");
	}
	pairs(1000);
	return write(end[1], "x", 1) == 1 ? 0 : 1;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program that forks when the disk of its log is full: run.sh gives it a small disk, and in
 * HOSTILE_FILL the name of a file that it writes until nothing more fits. Its children cannot begin
 * a log.
 * run.sh checks this if the disk is not full (the notation is in hostile.h):
 * expect: births 14 deaths 14 */
#include "hostile.h"

static void forks(int n)
{
	while (n-- > 0) {
		pid_t pid = fork();

		if (!pid) {
			pairs(1);
			_exit(0);
		}
		wait_for(pid);
	}
}

int main(void)
{
	const char *path = getenv("HOSTILE_FILL");
	int fd = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600) : -1;
	static const char zeros[4096];

	pairs(2);
	forks(6);
	while (fd >= 0 && write(fd, zeros, sizeof(zeros)) > 0)
		;
	forks(6);
	puts("full forks");
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs a program TIMES times, one run after the other: forkexec TIMES PROGRAM [ARGUMENT…] */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	long times = argc > 2 ? strtol(argv[1], NULL, 10) : 0;

	if (times <= 0) {
		fputs("usage: forkexec TIMES PROGRAM [ARGUMENT...]\n", stderr);
		return 2;
	}
	while (times-- > 0) {
		pid_t pid = fork();
		int status;

		if (!pid) {
			execv(argv[2], argv + 2);
			_exit(127);
		}
		if (pid < 0 || waitpid(pid, &status, 0) != pid || status) {
			fprintf(stderr, "forkexec: '%s' failed\n", argv[2]);
			return 1;
		}
	}
	return 0;
}

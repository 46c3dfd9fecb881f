/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program that prints the number of its libraries, which it asks of the loader as ldd does, and
 * by executing the loader through a descriptor. The tracker's library must not be among them.
 * run.sh checks this (the notation is in hostile.h):
 * expect: births 10 deaths 10 */
#include "hostile.h"

/* Prints the number of lines that the loader writes. */
static void list_by_descriptor(void)
{
	static char name[] = "loader", list[] = "--list", program[64];
	static char *const argv[] = { name, list, program, NULL };
	int fds[2], lines = 0, fd = open(LOADER, O_RDONLY | O_CLOEXEC);
	char byte;
	pid_t pid;

	must(!pipe2(fds, O_CLOEXEC), "a pipe");
	snprintf(program, sizeof(program), "/proc/%d/exe", getpid());
	pid = fork();
	if (!pid) {
		dup2(fds[1], 1);
		fexecve(fd, argv, environ);
		_exit(1);
	}
	close(fds[1]);
	while (read(fds[0], &byte, 1) == 1)
		lines += byte == '\n';
	wait_for(pid);
	printf("%d\n", lines);
}

int main(void)
{
	char command[100], line[100];
	FILE *out;

	pairs(5);
	snprintf(command, sizeof(command), "LD_TRACE_LOADED_OBJECTS=1 /proc/%d/exe | wc -l",
		 getpid());
	out = popen(command, "r");
	must(out && fgets(line, sizeof(line), out), "the list");
	must(!pclose(out), "the end of the shell");
	pairs(5);
	fputs(line, stdout);
	list_by_descriptor();
	return 0;
}

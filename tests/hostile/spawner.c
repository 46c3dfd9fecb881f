/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program that starts children with posix_spawn(), system() and popen().
 * run.sh checks this (the notation is in hostile.h):
 * expect: births 50 deaths 50 */
#include <spawn.h>

#include "hostile.h"

extern char **environ;

int main(int argc, char **argv)
{
	char command[4096], path[3000];
	char x[] = "x", *const args[] = { argv[0], x, NULL };
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);
	pid_t pid;
	FILE *f;

	pairs(10);
	if (argc > 1)
		return 0;
	path[n] = 0;
	must(!posix_spawn(&pid, path, NULL, NULL, args, environ), "posix_spawn");
	wait_for(pid);
	snprintf(command, sizeof(command), "'%s' x", path);
	must(!system(command), "system");
	f = popen(command, "r");
	must(f && !pclose(f), "popen");
	pairs(10);
	return 0;
}

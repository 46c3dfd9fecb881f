/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Searches the longest environment with which a program can be executed, with execve() and with
 * posix_spawn(). The tracker must leave as much room as there is without it. run.sh checks this
 * (the notation is in hostile.h): expect: births 100 deaths 100 */
#include <spawn.h>

#include "hostile.h"

enum { PART = 100000, PARTS = 100 };

static char *parts[PARTS];

/* Returns an environment of this many bytes, without the pointers to its parts. */
static char **environment(size_t bytes)
{
	static char *env[PARTS + 1];
	size_t n = 0;

	for (; bytes; n++) {
		size_t here = bytes > PART ? PART : bytes;

		env[n] = parts[n] + PART - here; /* each part ends with a NUL */
		bytes -= here;
	}
	env[n] = NULL;
	return env;
}

static int spawn(char **argv, char **env)
{
	pid_t child;

	return posix_spawn(&child, argv[0], NULL, NULL, argv, env) ? 0 : child;
}

static int by_exec(char **argv, char **env)
{
	pid_t child = fork();

	if (!child) {
		execve(argv[0], argv, env);
		_exit(1);
	}
	return child;
}

static int runs(int start(char **, char **), char *path, size_t bytes)
{
	char again[] = "again", *argv[] = { path, again, NULL };
	int status = 1, child = start(argv, environment(bytes));

	if (child)
		must(waitpid(child, &status, 0) == child, "waitpid");
	return !status;
}

static size_t longest(int start(char **, char **), char *path)
{
	size_t works = 1000, fails = (size_t)PART * PARTS;

	must(runs(start, path, works) && !runs(start, path, fails), "there is a limit");
	while (fails - works > 1) {
		size_t middle = (works + fails) / 2;

		if (runs(start, path, middle))
			works = middle;
		else
			fails = middle;
	}
	return works;
}

int main(int argc, char **argv)
{
	if (argc > 1)
		return 0;
	for (int i = 0; i < PARTS; i++) {
		parts[i] = mmap(NULL, PART, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
				0);
		must(parts[i] != MAP_FAILED, "mmap");
		memset(parts[i], 'x', PART - 1);
	}
	pairs(100);
	printf("%zu with execve, %zu with posix_spawn\n", longest(by_exec, argv[0]),
	       longest(spawn, argv[0]));
	return 0;
}

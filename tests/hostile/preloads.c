/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program that executes itself with several variables LD_PRELOAD: the loader uses the last one,
 * getenv() finds the first one. run.sh checks this (the notation is in hostile.h): expect: births 9
 * deaths 0 */
#include "hostile.h"

extern char **environ;

/* Prints the first LD_PRELOAD, unless it is the tracker's alone, and the number of those with
 * libm. */
static void print_preloads(void)
{
	const char *first = getenv("LD_PRELOAD");
	int n = 0;

	for (char **e = environ; *e; e++)
		n += !strncmp(*e, "LD_PRELOAD=", 11) && strstr(*e, "libm.so") != NULL;
	printf("%s, %d\n", first && strstr(first, "libm.so") ? "libm" : "another", n);
}

int main(int argc, char **argv)
{
	char x[] = "x", *const args[] = { argv[0], x, NULL };
	char libm[] = "LD_PRELOAD=libm.so.6", empty[] = "LD_PRELOAD=";
	char *first[] = { libm, empty, NULL }, *last[] = { empty, libm, NULL };
	char **both[] = { first, last };

	births(3);
	if (argc > 1) {
		print_preloads();
		return 0;
	}
	for (int i = 0; i < 2; i++) {
		pid_t pid = fork();

		if (!pid) {
			execve("/proc/self/exe", args, both[i]);
			_exit(1);
		}
		wait_for(pid);
	}
	return 0;
}

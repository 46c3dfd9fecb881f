/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program that executes itself, with a megabyte of new environment variables placed before
 * those that it received.
 * run.sh checks this (the notation is in hostile.h):
 * expect: births 20 deaths 0 */
#include "hostile.h"

extern char **environ;

enum { VARIABLES = 1000, BYTES = 1000 };

int main(int argc, char **argv)
{
	static char text[VARIABLES][BYTES], *wide[VARIABLES + 1000];
	char x[] = "x", *const args[] = { argv[0], x, NULL };
	int n = 0;

	births(10);
	if (argc > 1) {
		must(!!getenv("WIDE_999"), "the last variable is there");
		puts("wide");
		return 0;
	}
	for (; n < VARIABLES; n++) {
		memset(text[n], 'w', BYTES - 1);
		text[n][snprintf(text[n], BYTES, "WIDE_%d=", n)] = 'w';
		wide[n] = text[n];
	}
	for (char **e = environ; *e && n < VARIABLES + 999; e++)
		wide[n++] = *e;
	execve("/proc/self/exe", args, wide);
	die("execve");
}

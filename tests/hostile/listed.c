/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program that prints the number of its libraries, which it asks of the loader as ldd does. The
 * tracker's library must not be among them.
 * run.sh checks this (the notation is in hostile.h):
 * expect: births 10 deaths 10 */
#include "hostile.h"

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
	return 0;
}

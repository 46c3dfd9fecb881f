/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program that defines its own malloc. The tracker does not see its blocks, but it sees its
 * mappings.
 * run.sh checks this (the notation is in hostile.h):
 * expect: births 0 deaths 0
 * events: mmap 2..9 */
#include "hostile.h"

int main(void)
{
	char *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	FILE *f = fopen("/dev/null", "r"); /* libc allocates the FILE with the program's malloc */

	pairs(1000);
	must(p != MAP_FAILED && f, "mmap and fopen");
	fclose(f);
	puts("own malloc");
	return 0;
}

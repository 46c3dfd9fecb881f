/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program that allocates with a million different stacks of 30 frames. The tracker's memory
 * for stacks must stay limited.
 * run.sh checks this (the notation is in hostile.h):
 * expect: births 1000000 deaths 1000000
 * log: 65536 */
#include "hostile.h"

enum { STACKS = 1000000, DEPTH = 30 };

static unsigned random_state = 1;

static unsigned next_random(void)
{
	random_state = random_state * 1664525 + 1013904223;
	return random_state >> 2;
}

/* Recurses to `depth` and allocates there. At each level one bit of `way` selects one of two call
 * instructions, so each value of `way` yields a different stack. */
NOINLINE static void descend(unsigned way, int depth)
{
	if (!depth)
		free(mark());
	else if (way & 1)
		descend(way >> 1, depth - 1);
	else
		descend(way >> 1, depth - 1);
	__asm__ volatile("");
}

int main(void)
{
	long before, pages = 0;
	FILE *f;

	free(mark());
	f = fopen("/proc/self/statm", "r");
	if (!f || fscanf(f, "%*d %ld", &before) != 1)
		die("statm");
	fclose(f);
	for (int i = 0; i < STACKS - 1; i++)
		descend(next_random(), DEPTH);
	f = fopen("/proc/self/statm", "r");
	if (!f || fscanf(f, "%*d %ld", &pages) != 1)
		die("statm");
	fclose(f);
	pages -= before;
	if (pages * (getpagesize() >> 10) > 64 << 10)
		printf("%ld MiB\n", pages * (getpagesize() >> 10) >> 10);
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sample.h"

int counters[100] = { 1 };
enum { COUNTERS_LINE = __LINE__ - 1 };

static double table[1000];
enum { TABLE_LINE = __LINE__ - 1 };

__attribute__((noinline)) static void plain(volatile int *n)
{
	static long calls[7];
	const int line = __LINE__ - 1;

	calls[*n]++;
	MARK(HERE("plain"), "", "");
	show_variable(calls, sizeof(calls), line, "plain::calls");
}

__attribute__((always_inline)) static inline void inner(const char *outer, const char *outermost)
{
	MARK(HERE("inner"), outer, outermost);
	counters[1]++;
}

__attribute__((always_inline)) static inline void middle(const char *outermost)
{
	counters[2]++;
	inner(HERE("middle"), outermost);
	counters[3]++;
}

__attribute__((noinline)) static void outer(volatile int *n)
{
	table[*n]++;
	middle(HERE("outer"));
	table[*n]++;
}

int main(int argc, char **argv)
{
	volatile int n = argc;

	plain(&n);
	outer(&n);
	MARK(HERE("main"), "", "");
	show_variable(counters, sizeof(counters), COUNTERS_LINE, "counters");
	show_variable(table, sizeof(table), TABLE_LINE, "table");
	return argv[0] == NULL;
}

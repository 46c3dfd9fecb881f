/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lifetime: makes accesses before main(), in a function of atexit(), and in a destructor that runs
 * after all such functions. Each of them loads and stores the N elements of `values` once. The
 * destructor frees it.
 */
#include <stdlib.h>

enum { N = 3000 };

static volatile long *values;

__attribute__((noinline)) static void use_values(void)
{
	for (int i = 0; i < N; i++)
		values[i] = values[i] + i;
}

__attribute__((constructor)) static void before_main(void)
{
	values = calloc(N, sizeof(*values));
	atexit(use_values);
	use_values();
}

__attribute__((destructor)) static void after_all(void)
{
	use_values();
	free((void *)values);
}

int main(void)
{
	return 0;
}

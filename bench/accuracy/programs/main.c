/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs init() and kernel(), and prints the CPU time of kernel() in ms, the sum of all threads. An
 * argument says how often kernel() runs (default: once). */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "program.h"

static double cpu_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

int main(int argc, char **argv)
{
	double start, result = 0;

	init();
	start = cpu_ms();
	for (long n = argc > 1 ? atol(argv[1]) : 1; n > 0; n--)
		result = kernel();
	printf("kernel %.1f ms, result %g\n", cpu_ms() - start, result);
	return 0;
}

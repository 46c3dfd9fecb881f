/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program that reads the clock before and after each call. The times in the log must lie
 * between these, with a tolerance of 1 µs.
 * run.sh checks this (the notation is in hostile.h):
 * expect: program */
#include <time.h>

#include "hostile.h"

enum { N = 3000 };

static long long times[N][4];

static long long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ll + t.tv_nsec;
}

int main(void)
{
	const char *path = getenv("HOSTILE_TIMES");
	FILE *f;

	for (int i = 0; i < N; i++) {
		void *p;

		times[i][0] = now();
		p = mark();
		times[i][1] = times[i][2] = now();
		free(p);
		times[i][3] = now();
		if (i % 16 == 0) /* pauses, 1 µs to 8 ms */
			usleep(1u << i / 16 % 14);
	}
	hostile_expect(N, N);
	f = path ? fopen(path, "w") : NULL;
	for (int i = 0; f && i < N; i++)
		fprintf(f, "%lld %lld %lld %lld\n", times[i][0], times[i][1], times[i][2],
			times[i][3]);
	return f ? fclose(f) : 0;
}

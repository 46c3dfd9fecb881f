/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tracklog LOG…: measures how fast the reader of tracker logs is: it decodes records, merges
 * threads by time and converts times. Stacks are not read.
 */
#include <stdio.h>
#include <time.h>

#include "tracklog/tracklog.h"

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
	double start = seconds(), took;
	struct md_err err = { 0 };
	struct tl_event e;
	struct tl_log *l;
	long n = 0;
	int ret = 0;

	for (int i = 1; i < argc && ret >= 0; i++) {
		ret = tl_open_path(argv[i], &l, &err);
		if (ret)
			break;
		while ((ret = tl_next(l, &e, &err)) > 0)
			n++;
		tl_close(l);
	}
	if (ret) {
		fprintf(stderr, "tracklog: %s\n", err.msg);
		return 1;
	}
	took = seconds() - start;
	printf("%ld events, %.3f s of CPU, %.1f million events/s\n", n, took,
	       (double)n / took / 1e6);
	return 0;
}

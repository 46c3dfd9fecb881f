/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints the frequency of this machine's TSC in kHz, measured with the kernel's clock for 0.2 s. At
 * both ends it reads the two clocks several times and uses the pair of readings that took the
 * shortest time, so that a busy machine does not spoil the result.
 */
#include <stdint.h>
#include <stdio.h>
#include <time.h>

struct moment {
	uint64_t tsc;
	double seconds;
};

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC_RAW, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static struct moment now(void)
{
	struct moment best = { 0 };
	uint64_t least = UINT64_MAX;

	for (int i = 0; i < 20; i++) {
		uint64_t before = __builtin_ia32_rdtsc();
		double s = seconds();
		uint64_t took = __builtin_ia32_rdtsc() - before;

		if (took < least) {
			least = took;
			best = (struct moment){ before + took / 2, s };
		}
	}
	return best;
}

int main(void)
{
	struct timespec wait = { .tv_nsec = 200000000 };
	struct moment from = now(), to;

	nanosleep(&wait, NULL);
	to = now();
	printf("%.0f\n", (double)(to.tsc - from.tsc) / (to.seconds - from.seconds) / 1e3);
}

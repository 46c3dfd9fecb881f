/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Measures the frequency of the CPU's counter over the whole recording, from two readings of the
 * counter and the clock. The logs of short programs are too short for this.
 */
#include "record/counter.h"

#include <time.h>

#include "base/monotonic.h"

#define ATTEMPTS    16
#define SHORTEST_NS 5000000u /* an error of 50 ns is then 10 ppm */
#define HIGHEST_KHZ 100000000u

/* Reads the counter that user space can read without a system call. Returns 0 if there is none. */
static uint64_t read_ticks(void)
{
#if defined(__x86_64__)
	return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
	uint64_t v;

	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(v));
	return v;
#else
	return 0;
#endif
}

/* Returns the fastest of several attempts, because an interrupted attempt is slower. */
struct counter_reading counter_read(void)
{
	struct counter_reading r = { 0 };
	uint64_t best = UINT64_MAX;

	for (int i = 0; i < ATTEMPTS; i++) {
		uint64_t before = read_ticks(), ns = monotonic_ns();
		uint64_t took = read_ticks() - before;

		if (took < best) {
			best = took;
			r.ticks = before + took / 2;
			r.ns = ns;
		}
	}
	return r;
}

/*
 * Returns 0 if the readings are too close together, the counter went back, or the result is too
 * high.
 */
uint64_t counter_khz(const struct counter_reading *from, const struct counter_reading *to)
{
	uint64_t ns = to->ns - from->ns, ticks = to->ticks - from->ticks, khz;

	if (to->ns < from->ns + SHORTEST_NS || to->ticks <= from->ticks)
		return 0;
	khz = (uint64_t)((unsigned __int128)ticks * 1000000 / ns);
	return khz > HIGHEST_KHZ ? 0 : khz;
}

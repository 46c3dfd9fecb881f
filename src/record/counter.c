/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Measures the frequency of the CPU's time-stamp counter from two readings of counter and clock:
 * one when memdb starts, and one shortly before memdb starts the program. (The tracker's log
 * contains such readings, too, but the log of a short program covers too little time for an exact
 * result.) */
#include "record/counter.h"

#include <time.h>

#include "base/monotonic.h"

#define ATTEMPTS 16
/* One reading of counter and clock may be wrong by 50 ns. So if two readings are 5 ms apart, the
 * computed frequency is wrong by at most 20 ppm. Readings that are closer together are not used. */
#define SHORTEST_NS 5000000u
#define HIGHEST_KHZ 100000000u

/* Reads the counter without a system call. Returns 0 on architectures other than x86-64 and
 * AArch64. */
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

/* Reads counter and clock several times and returns the reading that took the least time. During a
 * slower reading, the thread may have been interrupted between the counter and the clock. */
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
 * Returns 0 if the readings are too close together, if the counter went backwards, or if the
 * frequency would be above HIGHEST_KHZ, which no CPU reaches.
 */
uint64_t counter_khz(const struct counter_reading *from, const struct counter_reading *to)
{
	uint64_t ns = to->ns - from->ns, ticks = to->ticks - from->ticks, khz;

	if (to->ns < from->ns + SHORTEST_NS || to->ticks <= from->ticks)
		return 0;
	khz = (uint64_t)((unsigned __int128)ticks * 1000000 / ns);
	return khz > HIGHEST_KHZ ? 0 : khz;
}

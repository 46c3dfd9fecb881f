/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "clock.h"

#include <linux/prctl.h>
#include <stddef.h>
#include <time.h>

#include "rawcall.h"
#include "real.h"

bool clock_is_tsc;
bool clock_by_calls;
long clock_cpu_offset;

typedef int gettime_fn(clockid_t, struct timespec *);

static gettime_fn *vdso_gettime;

bool clock_faults(void)
{
	int mode = PR_TSC_ENABLE; /* other machines do not know the question */

	rawcall4(SYS_prctl, PR_GET_TSC, (long)&mode, 0, 0);
	return mode == PR_TSC_SIGSEGV;
}

void clock_init(bool tsc, bool vdso)
{
	const ptrdiff_t *offset = real_find("__rseq_offset");
	const unsigned *size = real_find("__rseq_size");

	/* The vDSO itself: libc's function may be interposed to show another time. */
#if defined(__x86_64__)
	vdso_gettime = (gettime_fn *)real_find_anywhere("__vdso_clock_gettime");
#else
	vdso_gettime = (gettime_fn *)real_find_anywhere("__kernel_clock_gettime");
#endif
	if (offset && size && *size)
		clock_cpu_offset = *offset + 4; /* struct rseq: cpu_id */
	clock_by_calls = !vdso || !vdso_gettime;
	if (clock_faults()) {
		vdso_gettime = NULL;
		clock_by_calls = true;
		return;
	}
#if defined(__x86_64__)
	clock_is_tsc = tsc;
	clock_by_calls &= !tsc;
#endif
}

static uint64_t read_clock(clockid_t clock)
{
	struct timespec ts = { 0 };

	if (!vdso_gettime || vdso_gettime(clock, &ts))
		rawcall4(SYS_clock_gettime, clock, (long)&ts, 0, 0);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

uint64_t clock_ns(void)
{
	return read_clock(CLOCK_MONOTONIC);
}

/* The shortest of a few attempts: one that was interrupted is longer. */
void clock_pair(uint64_t *ticks, uint64_t *ns)
{
	uint64_t best = UINT64_MAX;

	for (int i = 0; i < 4; i++) {
		uint64_t before = clock_ticks(), now = clock_ns(), after = clock_ticks();

		if (after - before < best) {
			best = after - before;
			*ticks = before + best / 2;
			*ns = now;
		}
		if (best < 200)
			break;
	}
}

void clock_moment(struct track_moment *m)
{
	uint64_t best = UINT64_MAX;

	for (int i = 0; i < 4 && best > 2000; i++) {
		struct track_moment now;
		uint64_t took;

		clock_pair(&now.ticks, &now.monotonic_ns);
		now.raw_ns = read_clock(CLOCK_MONOTONIC_RAW);
		now.boottime_ns = read_clock(CLOCK_BOOTTIME);
		now.realtime_ns = read_clock(CLOCK_REALTIME);
		took = clock_ticks() - now.ticks;
		if (took >= best)
			continue;
		best = took;
		*m = now;
	}
}

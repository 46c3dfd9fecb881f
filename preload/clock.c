/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "clock.h"

#include <stddef.h>
#include <time.h>

#include "rawcall.h"
#include "real.h"

bool clock_is_tsc;
long clock_cpu_offset;

typedef int gettime_fn(clockid_t, struct timespec *);

static gettime_fn *vdso_gettime;

void clock_init(bool tsc)
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
#if defined(__x86_64__)
	clock_is_tsc = tsc;
#endif
}

uint64_t clock_ns(void)
{
	struct timespec ts = { 0 };

	if (!vdso_gettime || vdso_gettime(CLOCK_MONOTONIC, &ts))
		rawcall4(SYS_clock_gettime, CLOCK_MONOTONIC, (long)&ts, 0, 0);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
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

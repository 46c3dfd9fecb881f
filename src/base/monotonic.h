/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads clocks, in ns. Each reading takes about 25 ns. */
#ifndef MEMDB_BASE_MONOTONIC_H
#define MEMDB_BASE_MONOTONIC_H

#include <stdint.h>
#include <time.h>

static inline uint64_t clock_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static inline uint64_t monotonic_ns(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

#endif

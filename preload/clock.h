/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the clock of the log and the current CPU, both without system calls where possible. */
#ifndef MEMDB_PRELOAD_CLOCK_H
#define MEMDB_PRELOAD_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "track_format.h"

/* Chooses the clock: the time-stamp counter if the kernel keeps time with it (tsc), else
 * CLOCK_MONOTONIC, through the vDSO if that needs no system call (vdso). A process that must not
 * read the counter uses system calls. Call it once per process, before any other function here. */
void clock_init(bool tsc, bool vdso);

/* Does the kernel kill the calling thread when it reads the counter? PR_SET_TSC sets this, and new
 * threads, children and programs inherit it. */
bool clock_faults(void);

/* Finds the offsets of the process's time namespace, because the log uses the machine's clocks, as
 * perf does. Call it once per image, and in a forked child. With the options `realtime` and
 * `boottime`, a process that is in no such namespace needs no file for this. */
void clock_enter_namespace(const char *options);

/* Returns CLOCK_MONOTONIC of the machine, ns. */
uint64_t clock_ns(void);

/* Reads both clocks at the same moment, to within the duration of one reading. */
void clock_pair(uint64_t *ticks, uint64_t *ns);

/* Reads this pair, and the other clocks right after it: within about a microsecond. */
void clock_moment(struct track_moment *m);

extern bool clock_is_tsc __attribute__((visibility("hidden")));
/* each reading is a system call */
extern bool clock_by_calls __attribute__((visibility("hidden")));
extern long clock_cpu_offset __attribute__((visibility("hidden"))); /* 0 means unknown */

static inline __attribute__((always_inline)) uint64_t clock_ticks(void)
{
#if defined(__x86_64__)
	if (__builtin_expect(clock_is_tsc, 1))
		return __builtin_ia32_rdtsc();
#endif
	return clock_ns();
}

/* Returns the time after all preceding instructions. A bare rdtsc may run before loads in flight.
 * Then a birth may seem to come before another thread's free of the same block, or the end of a
 * block that was passed between threads before its birth. Costs 10 ns more than clock_ticks(). */
static inline __attribute__((always_inline)) uint64_t clock_ticks_after(void)
{
#if defined(__x86_64__)
	if (__builtin_expect(clock_is_tsc, 1)) {
		__builtin_ia32_lfence();
		return __builtin_ia32_rdtsc();
	}
#endif
	return clock_ns();
}

/* Returns the CPU from the kernel's restartable-sequences area; ~0u if there is none. */
static inline __attribute__((always_inline)) unsigned clock_cpu(void)
{
	const char *tp;

	if (__builtin_expect(!clock_cpu_offset, 0))
		return ~0u;
#if defined(__x86_64__)
	__asm__("mov %%fs:0, %0" : "=r"(tp));
#else
	tp = __builtin_thread_pointer();
#endif
	return *(const volatile uint32_t *)(tp + clock_cpu_offset);
}

#endif

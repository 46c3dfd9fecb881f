/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The clock of the log, and the CPU that runs: reads without system calls. */
#ifndef MEMDB_PRELOAD_CLOCK_H
#define MEMDB_PRELOAD_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "track_format.h"

/*
 * Chooses the clock: the counter (tsc) where the kernel keeps its time by it, else CLOCK_MONOTONIC,
 * by the vDSO where that has it without a system call (vdso). A process that must not read the
 * counter has it by system calls. Once per process, before any other function here.
 */
void clock_init(bool tsc, bool vdso);

/* Whether the kernel ends the calling thread when it reads the counter: PR_SET_TSC, which new
 * threads, children and programs inherit. */
bool clock_faults(void);

/* Learns what the process's time namespace adds to the clocks: those of the log are the machine's,
 * which perf records by. Once per image, and in a forked child. */
void clock_enter_namespace(void);

/* CLOCK_MONOTONIC, ns. */
uint64_t clock_ns(void);

/* A reading of both at the same moment, within the time of one reading. */
void clock_pair(uint64_t *ticks, uint64_t *ns);

/* That pair, and the other clocks within a tenth of a microsecond of it. */
void clock_moment(struct track_moment *m);

extern bool clock_is_tsc __attribute__((visibility("hidden")));
extern bool clock_by_calls __attribute__((visibility("hidden")));   /* each reading is one */
extern long clock_cpu_offset __attribute__((visibility("hidden"))); /* 0: not known */

static inline __attribute__((always_inline)) uint64_t clock_ticks(void)
{
#if defined(__x86_64__)
	if (__builtin_expect(clock_is_tsc, 1))
		return __builtin_ia32_rdtsc();
#endif
	return clock_ns();
}

/*
 * The time after everything before it. A bare rdtsc may run ahead of loads that are still under
 * way: of the allocator's, and then a birth seems to come before another thread's free of the same
 * block; or of the load that got the block from another thread, and then its end seems to come
 * before its birth. 10 ns more than clock_ticks().
 */
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

/* The CPU by the kernel's restartable-sequences area; ~0u where there is none. */
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

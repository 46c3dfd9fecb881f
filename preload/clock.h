/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the log's clock and the current CPU. Where possible, both are read without a system
 * call. */
#ifndef MEMDB_PRELOAD_CLOCK_H
#define MEMDB_PRELOAD_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "likely.h"
#include "track_format.h"

/*
 * Chooses the clock. With `tsc` it is the time-stamp counter, from which the kernel derives its
 * time. Otherwise it is CLOCK_MONOTONIC: with `vdso` it is read through the vDSO, without a system
 * call. A process that must not read the counter uses system calls. Must be called once in each
 * image, before any other function here.
 */
void clock_init(bool tsc, bool vdso);

/* Does the calling thread get SIGSEGV when it reads the counter? PR_SET_TSC sets this; new threads,
 * children and programs inherit it. */
bool clock_faults(void);

/* Finds the offsets of the process's time namespace. They are needed because the log, like perf,
 * uses the machine's clocks. Must be called once in each image, and again in a forked child. If the
 * recorder passes the options `realtime` and `boottime`, a process outside such a namespace need
 * not read a file for this. */
void clock_enter_namespace(const char *options);

/* Returns CLOCK_MONOTONIC of the machine in ns. */
uint64_t clock_ns(void);

/* Reads the log's clock (*ticks) and CLOCK_MONOTONIC of the machine (*ns) at almost the same
 * moment. The two moments differ by at most the time that one reading takes. */
void clock_pair(uint64_t *ticks, uint64_t *ns);

/* Reads the same two clocks as clock_pair(), and right after them the other clocks of struct
 * track_moment, all within about a microsecond. */
void clock_moment(struct track_moment *m);

extern bool clock_is_tsc __attribute__((visibility("hidden")));
/* true if each reading of the log's clock takes a system call */
extern bool clock_by_calls __attribute__((visibility("hidden")));
/* offset of the CPU number from the thread pointer; 0 means unknown */
extern long clock_cpu_offset __attribute__((visibility("hidden")));

static inline __attribute__((always_inline)) uint64_t clock_ticks(void)
{
#if defined(__x86_64__)
	if (likely(clock_is_tsc))
		return __builtin_ia32_rdtsc();
#endif
	return clock_ns();
}

/*
 * Returns clock_ticks(), read after all earlier instructions of this thread have finished. A plain
 * rdtsc may run before earlier loads have finished. Then times of two threads may be in the wrong
 * order: a block may seem to be allocated before another thread has freed its memory, or to be
 * freed before it was allocated. Takes 10 ns more than clock_ticks().
 */
static inline __attribute__((always_inline)) uint64_t clock_ticks_after(void)
{
#if defined(__x86_64__)
	if (likely(clock_is_tsc)) {
		__asm__ volatile("lfence" : : : "memory");
		return __builtin_ia32_rdtsc();
	}
#endif
	return clock_ns();
}

/* Returns the number of the current CPU, which the kernel keeps in the thread's struct rseq; ~0u if
 * the thread has no such struct. */
static inline __attribute__((always_inline)) unsigned clock_cpu(void)
{
	const char *tp;

	if (unlikely(!clock_cpu_offset))
		return ~0u;
#if defined(__x86_64__)
	__asm__("mov %%fs:0, %0" : "=r"(tp));
#else
	tp = __builtin_thread_pointer();
#endif
	return *(const volatile uint32_t *)(tp + clock_cpu_offset);
}

#endif

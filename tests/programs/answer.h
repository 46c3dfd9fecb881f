/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What every test program shares: it says on stdout what the right answer is, one fact a line,
 * words separated by one blank, and works for a given amount of CPU time, so that the number of
 * samples does not depend on the machine.
 *
 *	array NAME ADDRESS BYTES PID TID START_NS END_NS
 *		a block of memory that was worked on from START_NS to END_NS (CLOCK_MONOTONIC) by
 *		the thread TID alone; TID 0: by several. Addresses and times are decimal.
 *	value NAME NUMBER
 */
#ifndef MEMDB_TESTS_ANSWER_H
#define MEMDB_TESTS_ANSWER_H

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <sys/syscall.h>

/* A function that keeps its name and its frame, so that samples and blocks are found by it. */
#ifdef __clang__
#define NOINLINE __attribute__((noinline))
#else
#define NOINLINE __attribute__((noinline, noclone, no_icf))
#endif

static inline int64_t clock_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static inline int64_t now_ns(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

/* CPU time of the calling thread. */
static inline int64_t cpu_ns(void)
{
	return clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

/* What is left to spend of CPU time. A step counts for what lies between two samples at most: a
 * machine that is emulated, or shares a host, may be stopped for long while its clocks go on, and
 * takes no sample then. For steps that are much shorter than that. */
struct budget {
	int64_t left_ns, last_ns;
};

static inline struct budget budget_of(int64_t ns)
{
	return (struct budget){ ns, cpu_ns() };
}

/* Ends a step: false when all is spent. */
static inline int budget_lasts(struct budget *b)
{
	const int64_t now = cpu_ns(), most = 1000000;

	b->left_ns -= now - b->last_ns < most ? now - b->last_ns : most;
	b->last_ns = now;
	return b->left_ns > 0;
}

static inline long gettid_now(void)
{
	return syscall(SYS_gettid);
}

/* The first word of the command line as seconds, else the default; in nanoseconds. */
static inline int64_t work_ns(int argc, char **argv, double seconds)
{
	return (int64_t)((argc > 1 ? atof(argv[1]) : seconds) * 1e9);
}

static inline void tell_array(const char *name, const void *p, size_t bytes, long tid,
			      int64_t start_ns, int64_t end_ns)
{
	printf("array %s %" PRIuPTR " %zu %ld %ld %" PRId64 " %" PRId64 "\n", name, (uintptr_t)p,
	       bytes, (long)getpid(), tid, start_ns, end_ns);
	fflush(stdout);
}

static inline void tell_value(const char *name, int64_t value)
{
	printf("value %s %" PRId64 "\n", name, value);
	fflush(stdout);
}

/* A pseudo-random sequence that the compiler cannot foresee and every machine repeats. */
static inline uint64_t next_random(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return *state >> 33;
}

/* The block's owner ends here with a message instead of touching NULL. */
static inline void *must_have(void *p)
{
	if (!p) {
		perror("allocation");
		exit(2);
	}
	return p;
}

/* The numbers from 0 to n - 1 in a random order (Sattolo's shuffle), which the caller frees. */
static inline uint32_t *random_order(uint32_t n)
{
	uint32_t *order = (uint32_t *)must_have(malloc(n * sizeof(*order)));
	uint64_t state = 1;

	for (uint32_t i = 0; i < n; i++)
		order[i] = i;
	for (uint32_t i = n - 1; i > 0; i--) {
		uint32_t k = (uint32_t)(next_random(&state) % i), swap = order[i];

		order[i] = order[k];
		order[k] = swap;
	}
	return order;
}

#endif

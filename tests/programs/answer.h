/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Helpers of the test programs. Each program prints the right answers to stdout: one fact per
 * line, words separated by one blank. It works for a given CPU time, so that the number of
 * samples does not depend on the speed of the machine.
 *
 * array NAME ADDRESS BYTES PID TID START_NS END_NS
 *     memory that thread TID alone worked on from START_NS to END_NS (CLOCK_MONOTONIC). TID 0 means
 *     several threads. Numbers are decimal.
 * value NAME NUMBER
 *     any other number that the test needs
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

/* Prevents the compiler from inlining, copying or merging a function: the tests find samples and
 * blocks by its name and its frame. */
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

/* Returns the CPU time of the calling thread. */
static inline int64_t cpu_ns(void)
{
	return clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

/* The CPU time that a program may still spend. The program works in steps. A step counts for at
 * most 1 ms, even if it takes longer: while an emulated or shared machine is paused, its clocks
 * continue, but it takes no samples. So each step must be much shorter than 1 ms. */
struct budget {
	int64_t left_ns, last_ns;
};

static inline struct budget budget_of(int64_t ns)
{
	return (struct budget){ ns, cpu_ns() };
}

/* Ends a step of the program's work. Returns false if the budget is spent. */
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

/* Returns how many ns the program shall work: as many seconds as its first argument says; without
 * arguments, the default `seconds`. */
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

/* Returns the next number of a pseudo-random sequence, which is the same on every machine. The
 * compiler cannot predict it. */
static inline uint64_t next_random(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return *state >> 33;
}

/* Returns p. Exits with a message if p is NULL. */
static inline void *must_have(void *p)
{
	if (!p) {
		perror("allocation");
		exit(2);
	}
	return p;
}

/* Returns the numbers from 0 to n - 1 in a random order that is one cycle (Sattolo's shuffle).
 * The caller frees them. */
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

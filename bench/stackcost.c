/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Measures the time that the tracker takes to capture one stack, and the time of backtrace() at the
 * same point, for
 *
 * same   the same stack as in the previous capture
 * 16     sixteen stacks in turn
 * 65536  more stacks than the tracker's cache holds: most captures must use the unwind rules and
 *     look up frames
 */
#include "call_stack.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <stdio.h>
#include <sys/mman.h>
#include <time.h>

#define NOINLINE __attribute__((noinline))

enum { ROUNDS = 7, CALLS = 131072 };

static struct stack_thread *thread;
static volatile unsigned sink;
static void (*volatile hook)(void);

static double nanoseconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static NOINLINE void capture(void)
{
	struct stack_frames f;

	sink += stack_capture_caller(thread);
	if (stack_has_new(thread)) {
		while (stack_take_new(thread, 256, &f))
			sink += f.n;
	}
}

static NOINLINE void full_unwinder(void)
{
	static void *frames[256];

	sink += (unsigned)backtrace(frames, 256);
}

static NOINLINE void nothing(void)
{
	sink++;
}

static NOINLINE void left(int frames, int turn, void (*what)(void));
static NOINLINE void right(int frames, int turn, void (*what)(void));

/*
 * Calls what() from a stack with `frames` more frames. At each level, one bit of `turn` selects one
 * of two functions, so each value of `turn` gives a different stack.
 */
static inline __attribute__((always_inline)) void descend(int frames, int turn, void (*what)(void))
{
	if (frames < 1)
		what();
	else if (turn & 1)
		left(frames - 1, turn >> 1, what);
	else
		right(frames - 1, turn >> 1, what);
}

static NOINLINE void left(int frames, int turn, void (*what)(void))
{
	descend(frames, turn, what);
	sink++;
}

static NOINLINE void right(int frames, int turn, void (*what)(void))
{
	volatile char room[40];

	room[0] = 1;
	descend(frames, turn, what);
	sink += (unsigned)room[0];
}

static void repeat(void)
{
	for (int i = 0; i < CALLS; i++)
		hook();
}

static double price(int depth, void (*what)(void))
{
	double best = 1e30;

	hook = what;
	for (int r = 0; r < ROUNDS; r++) {
		double start = nanoseconds();
		double each;

		right(depth - 1, 0, repeat);
		each = (nanoseconds() - start) / CALLS;
		if (each < best)
			best = each;
	}
	return best;
}

/*
 * Returns the time of one call of what() (a capture) with `turns` different stacks in turn. The
 * time of the calls that lead to it is subtracted.
 */
static double price_of_turns(int depth, void (*what)(void), int turns)
{
	double best = 1e30;

	for (int r = 0; r < ROUNDS; r++) {
		double start = nanoseconds();
		double each;

		for (int i = 0; i < CALLS; i++)
			right(depth - 1, i % turns, what);
		each = (nanoseconds() - start) / CALLS;
		if (each < best)
			best = each;
	}
	return best;
}

static void measure(int depth)
{
	double base = price(depth, nothing);
	double same = price(depth, capture) - base;
	double few = price_of_turns(depth, capture, 16) - price_of_turns(depth, nothing, 16);
	double many = price_of_turns(depth, capture, 65536) - price_of_turns(depth, nothing, 65536);
	double full = price(depth, full_unwinder) - base;

	printf("%6d %10.1f %10.1f %10.1f %12.1f %9.0fx\n", depth, same, few, many, full,
	       full / same);
}

int main(void)
{
	static const int depths[] = { 1, 6, 12, 30, 60, 120 };
	void *p = mmap(NULL, STACK_THREAD_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		       -1, 0);

	if (p == MAP_FAILED)
		return 1;
	thread = p;
	stack_init(dlsym(RTLD_DEFAULT, "_dl_find_object"));
	printf("ns per captured stack; depth counts frames inside main's loop\n");
	printf("%6s %10s %10s %10s %12s %10s\n", "depth", "same", "16", "65536", "backtrace()",
	       "ratio");
	for (size_t i = 0; i < sizeof(depths) / sizeof(depths[0]); i++)
		measure(depths[i]);
	printf("captures: %lu compared, %lu walked or made nodes, %lu lost\n",
	       (unsigned long)thread->hits, (unsigned long)thread->walks,
	       (unsigned long)thread->lost);
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Local arrays that a program works on: in the function that defines them, in functions that it
 * calls, at the same stack address one after the other, in nested blocks, in an inlined
 * function, and at several levels of a recursion. */
#include <pthread.h>
#include "answer.h"

enum { N = 1 << 11, AGAIN = 40 };

static int64_t budget;
static volatile double sink;

/* The usual case: a function gets a pointer to a local variable of its caller. */
NOINLINE static double kernel(double *a, long n)
{
	double sum = 0;

	for (long i = 0; i < n; i++) {
		a[i] = a[i] * 0.999 + (double)i;
		sum += a[i];
	}
	return sum;
}

NOINLINE static double helper(double *a, long n)
{
	double sum = kernel(a, n / 2);

	return sum + kernel(a + n / 2, n / 2);
}

#define WORK(name, array, call)                                                       \
	do {                                                                          \
		int64_t from = now_ns(), end = cpu_ns() + budget;                     \
                                                                                      \
		while (cpu_ns() < end)                                                \
			for (int r = 0; r < 20; r++)                                  \
				sink += call;                                         \
		tell_array(name, array, sizeof(array), gettid_now(), from, now_ns()); \
	} while (0)

/* This function is inlined, so its samples are in the function that defines the array. */
__attribute__((always_inline)) static inline double walk(double *own)
{
	for (int i = 0; i < N; i++)
		own[own[0] < 0] += own[i];
	return own[0];
}

NOINLINE static void direct(void)
{
	double own[N];

	for (int i = 0; i < N; i++)
		own[i] = i;
	WORK("direct::own", own, walk(own));
	sink += own[5];
}

/* first() and the function after it each have an array of the same size at the same stack address,
 * and call the same function. */
NOINLINE static void first(void)
{
	double same[N];

	memset(same, 0, sizeof(same));
	WORK("first::same", same, kernel(same, N));
}

NOINLINE static void second(void)
{
	double alike[N];

	memset(alike, 0, sizeof(alike));
	WORK("second::alike", alike, kernel(alike, N));
}

NOINLINE static void two_deep(void)
{
	double far[N];

	memset(far, 0, sizeof(far));
	WORK("two_deep::far", far, helper(far, N));
}

/* The compiler may give both arrays the same address, because the first block ends before the
 * second begins. */
NOINLINE static void blocks(int which)
{
	if (which) {
		double one[N];

		memset(one, 0, sizeof(one));
		WORK("blocks::one", one, kernel(one, N));
	} else {
		double other[N];

		memset(other, 0, sizeof(other));
		WORK("blocks::other", other, kernel(other, N));
	}
}

static inline __attribute__((always_inline)) void inlined(void)
{
	double within[N];

	memset(within, 0, sizeof(within));
	WORK("inlined::within", within, kernel(within, N));
}

NOINLINE static void recursive(int depth)
{
	double level[N / 4];

	memset(level, 0, sizeof(level));
	if (depth)
		recursive(depth - 1);
	else
		WORK("recursive::level", level, kernel(level, N / 4));
	sink += level[1];
}

static double *again_level;

/* Does so little between its calls that many samples are at its first and last instructions, where
 * the frame pointer is that of the caller: of the same function. */
NOINLINE static void again(int depth, double *outer)
{
	double level[8];

	for (int i = 0; i < 8; i++)
		level[i] = outer[i] * 0.999;
	if (depth == AGAIN)
		again_level = level;
	if (depth)
		again(depth - 1, level);
	outer[depth & 7] = level[1];
}

static void *worker(void *arg)
{
	double mine[N];

	memset(mine, 0, sizeof(mine));
	WORK("worker::mine", mine, kernel(mine, N));
	return arg;
}

NOINLINE static void outer(void)
{
	inlined();
	sink += 1;
}

int main(int argc, char **argv)
{
	double of_main[N];
	int64_t from, end;
	pthread_t t[2];

	budget = work_ns(argc, argv, 0.03);
	memset(of_main, 0, sizeof(of_main));
	from = now_ns();
	for (end = cpu_ns() + budget; cpu_ns() < end;)
		for (int r = 0; r < 100; r++)
			again(AGAIN, of_main);
	tell_array("again::level", again_level, 8 * sizeof(*again_level), gettid_now(), from,
		   now_ns());
	direct();
	first();
	second();
	first();
	two_deep();
	blocks(0);
	blocks(1);
	outer();
	recursive(3);
	WORK("main::of_main", of_main, helper(of_main, N));
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, worker, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}

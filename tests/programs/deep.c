/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Call paths of known depth, without frame pointers. A recursion of 1 to 60 calls ends in a
 * loop, in a callback of the C library, in a system call or in a signal handler. One call has a
 * frame that is larger than the recorder's copy of the stack.
 *
 * deep [SECONDS]
 */
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "answer.h"

enum { BIG = 96 << 10, COUNT = 64, DEEPEST = 60 };

static volatile uint64_t sink;

NOINLINE static void spin(unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		sink += i;
}

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	spin(10);
	return x < y ? -1 : x > y;
}

NOINLINE static void sort(uint64_t state)
{
	uint64_t v[COUNT];

	for (int i = 0; i < COUNT; i++)
		v[i] = next_random(&state);
	qsort(v, COUNT, sizeof(*v), compare);
	sink += v[COUNT / 2];
}

static void handler(int sig)
{
	spin(2000);
}

NOINLINE static void big_frame(void)
{
	volatile uint8_t bytes[BIG];

	memset((void *)bytes, 1, sizeof(bytes));
	spin(2000);
	sink += bytes[sink % BIG];
}

NOINLINE static void leaf(unsigned kind)
{
	char byte;

	if (kind == 0)
		sort(kind);
	else if (kind == 1)
		raise(SIGUSR1);
	else if (kind == 2)
		sink += (uint64_t)pread(0, &byte, 0, 0);
	else if (kind == 3)
		big_frame();
	else
		spin(2000);
	sink++;
}

/* Prevents tail calls: each frame has a variable that is used after the call. The frames have
 * different sizes. */
NOINLINE static uint64_t descend(unsigned depth, unsigned kind)
{
	volatile uint64_t keep[4] = { depth };

	if (depth)
		keep[1] = descend(depth - 1, kind);
	else
		leaf(kind);
	return keep[0] + keep[1];
}

int main(int argc, char **argv)
{
	int64_t end = cpu_ns() + work_ns(argc, argv, 1.5);

	signal(SIGUSR1, handler);
	for (unsigned i = 0; cpu_ns() < end; i++)
		sink += descend(i % DEEPEST, i / DEEPEST % 5);
	return 0;
}

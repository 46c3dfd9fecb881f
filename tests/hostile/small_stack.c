/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Measures how much stack the tracker uses in an allocation, because a small signal stack must have
 * room for it. The program fills the stack with a pattern before each allocation and finds out
 * afterwards which bytes have changed. Its own allocator uses almost no stack.
 * run.sh checks this (the notation is in hostile.h):
 * uses: bump
 * expect: program */
#include "hostile.h"

enum { STACK = 256 << 10, MOST = 704, MOST_FIRST = 1024, PAINT = 0xa5, DEPTH = 400 };

struct used {
	size_t first, place, stack, many;
};

static unsigned char *stack, *top;
static long marks;

NOINLINE static void allocate(void)
{
	top = __builtin_frame_address(0);
	free(mark());
	marks++;
}

/* CALL(i) defines a function with its own call instruction of an allocation, so each i yields a
 * different stack. */
#define CALL(i)                                   \
	NOINLINE static void call##i(void)        \
	{                                         \
		top = __builtin_frame_address(0); \
		free(keep(memset(mark(), i, 8))); \
		marks++;                          \
	}
/* clang-format off */
CALL(0) CALL(1) CALL(2) CALL(3) CALL(4) CALL(5) CALL(6) CALL(7)
	/* clang-format on */
	static void (*const calls[])(void) = { call0, call1, call2, call3,
					       call4, call5, call6, call7 };

NOINLINE static void fill(void)
{
	top = __builtin_frame_address(0);
	for (int i = 0; i < 3000; i++)
		free(mark());
	marks += 3000;
}

/* Runs fn() and returns how many bytes below fn()'s frame address were written, by fn() and the
 * functions that it calls. To find this, it first fills 8 KiB of unused stack with PAINT and
 * afterwards finds the lowest byte that changed. */
NOINLINE static size_t depth_of(void (*fn)(void))
{
	unsigned char *end = (unsigned char *)__builtin_frame_address(0) - 256, *p;

	for (p = end - 8192; p < end; p++)
		*(volatile unsigned char *)p = PAINT;
	fn();
	for (p = end - 8192; *(volatile unsigned char *)p == PAINT; p++)
		;
	return (size_t)(top - p);
}

static size_t larger(size_t a, size_t b)
{
	return a > b ? a : b;
}

/* Allocates at each depth of a recursion, so that each allocation has a new stack. Returns the
 * largest number of stack bytes that one of these allocations needed. */
NOINLINE static size_t recurse(int depth)
{
	size_t used = depth_of(allocate);

	return depth ? larger(used, recurse(depth - 1)) : used;
}

static void *run(void *arg)
{
	struct used *u = arg;

	u->first = depth_of(allocate);
	for (int i = 0; i < 8; i++)
		u->place = larger(u->place, depth_of(calls[i]));
	u->stack = recurse(DEPTH);
	u->many = depth_of(fill);
	return NULL;
}

static void on_thread(struct used *u)
{
	pthread_attr_t a;
	pthread_t t;

	pthread_attr_init(&a);
	if (pthread_attr_setstack(&a, stack, STACK) || pthread_create(&t, &a, run, u) ||
	    pthread_join(t, NULL))
		die("thread");
	pthread_attr_destroy(&a);
}

static void judge(const char *who, const struct used *u)
{
	if (u->first > MOST || u->place > MOST || u->stack > MOST || u->many > MOST)
		printf("%s: first %zu, at a new place %zu, new stacks %zu, many %zu bytes\n", who,
		       u->first, u->place, u->stack, u->many);
}

int main(void)
{
	struct used u[2] = { { 0 } };
	size_t child;
	pid_t pid;

	stack = mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (stack == MAP_FAILED)
		die("mmap");
	on_thread(&u[0]);
	on_thread(&u[1]);
	judge("first thread", &u[0]);
	judge("second thread", &u[1]);
	/* the forked child makes as many marked blocks as the parent, and one more at its start */
	hostile_expect(2 * marks + 1, 2 * marks + 1);
	fflush(stdout);
	pid = fork();
	if (!pid) {
		/* the child's first allocation, in which the tracker also begins a log for it */
		child = depth_of(allocate);
		if (child > MOST_FIRST)
			printf("first in a child: %zu bytes\n", child);
		on_thread(&u[0]);
		on_thread(&u[1]);
		judge("thread of a child", &u[0]);
		fflush(stdout);
		_exit(0);
	}
	wait_for(pid);
	return 0;
}

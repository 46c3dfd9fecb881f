/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Captures a stack and calls backtrace() at the same point. backtrace() unwinds every frame, so
 * the capture is correct only if it has the same addresses. Each test is built several times:
 * with optimisation and without frame pointers, and without optimisation (see meson.build). */
#ifndef MEMDB_TEST_STACK_FIXTURE_H
#define MEMDB_TEST_STACK_FIXTURE_H

#include "call_stack.h"

#include "check_main.h"

#include <alloca.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

/* for functions that not every test uses, because compilers warn of an unused function */
#define UNUSED   __attribute__((unused))
#define NOINLINE __attribute__((noinline, noclone, noipa))
#ifdef __clang__
#undef NOINLINE
#define NOINLINE __attribute__((noinline))
#endif

enum { MAX_NODES = 1 << 20, MAX_FRAMES = 6000 };

/* The state of one thread: what preload/call_stack.h keeps for it, and the frames that the tracker
 * would write to its log. */
struct log {
	struct stack_thread *thread;
	struct node {
		uint64_t pc;
		uint32_t caller;
	} * nodes;
	uint64_t restorer; /* the address to which a signal handler returns */
	unsigned same;
	unsigned truncated; /* number of stacks that are marked as truncated and whose frames are
			     * correct */
	/* number of frames that contradict themselves or an earlier frame with the same id */
	unsigned wrong;
};

static __thread struct log *logged;
static volatile int sink;
static UNUSED volatile int three =
	/* Number of rounds of the loops in the tests. It is volatile, because an unrolled loop
	 * would call from a different address in each round. */
	3;

static UNUSED void *pages(size_t n)
{
	void *p = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
		       -1, 0);

	ck_assert_ptr_ne(p, MAP_FAILED);
	return p;
}

static UNUSED void log_open(struct log *l)
{
	struct {
		void *handler;
		unsigned long flags;
		void *restorer;
		uint64_t mask;
	} kernel = { 0 };
	void *warm[4];

	(void)backtrace(warm, 4); /* the first call loads the library of the unwinder */
	memset(l, 0, sizeof(*l));
	l->thread = pages(STACK_THREAD_SIZE);
	l->nodes = pages(MAX_NODES * sizeof(*l->nodes));
	(void)syscall(SYS_rt_sigaction, SIGUSR1, NULL, &kernel, 8);
	l->restorer = (uint64_t)(uintptr_t)kernel.restorer;
	stack_init(dlsym(RTLD_DEFAULT, "_dl_find_object"));
	logged = l;
}

static UNUSED void log_close(struct log *l)
{
	ck_assert_uint_eq(l->wrong, 0);
	munmap(l->thread, STACK_THREAD_SIZE);
	munmap(l->nodes, MAX_NODES * sizeof(*l->nodes));
}

/* Moves the frames that were captured since the last call to l->nodes, and counts wrong ones. Does
 * not assert, because a signal handler may call this function while the test is inside an
 * assertion. */
static UNUSED void log_new_frames(struct log *l)
{
	struct stack_frames f;

	while (stack_take_new(l->thread, 7, &f)) {
		if (!f.n || f.n > 7 || f.first < STACK_FIRST_ID || f.caller >= f.first ||
		    f.first + f.n >= MAX_NODES) {
			l->wrong++;
			continue;
		}
		for (uint32_t i = 0; i < f.n; i++) {
			struct node *at = &l->nodes[f.first + i];
			struct node n = { f.pcs[i], i ? f.first + i - 1 : f.caller };

			/* A signal handler may write the same frames a second time. */
			l->wrong += at->pc && (at->pc != n.pc || at->caller != n.caller);
			*at = n;
		}
	}
}

/* Returns whether this is the address to which signal handlers return. */
static UNUSED bool is_restorer(const struct log *l, const void *address)
{
#if defined(__aarch64__)
	const uint32_t *code = address;

	return code[0] == 0xd2801168 && code[1] == 0xd4000001; /* mov x8, #139; svc #0 */
#else
	return (uint64_t)(uintptr_t)address == l->restorer;
#endif
}

/* Compares the frames of stack `id`, innermost first, with the addresses bt[0..n) of backtrace().
 * Returns the number of equal frames. *root is the id of the first frame that was not compared. */
static UNUSED int compare(const struct log *l, uint32_t id, void **bt, int n, uint32_t *root)
{
	int i = 0;

	for (; id >= STACK_FIRST_ID && i < n; id = l->nodes[id].caller, i++) {
		uint64_t pc = (uint64_t)(uintptr_t)bt[i];

		if (i && is_restorer(l, bt[i - 1]))
			/* A signal interrupted this frame. Here backtrace() returns the address of
			 * the next instruction, and the capture returns that address + 1. */
			pc++;
		if (l->nodes[id].pc != pc)
			break;
	}
	*root = id;
	return i;
}

/* Does what an allocation hook of the tracker does: captures the caller's stack and returns its
 * id. Also compares the stack with backtrace(). */
static UNUSED NOINLINE uint32_t hook(void)
{
	void *frames[MAX_FRAMES];
	void **bt = frames;
	uint32_t root;
	uint32_t id = stack_capture_caller(logged->thread);
	int n = backtrace(frames, MAX_FRAMES);
	int same;

	log_new_frames(logged);
	for (; n && *bt != __builtin_return_address(0); n--)
		/* skips hook() itself, and the frame of a sanitizer's wrapper of backtrace() */
		bt++;
	same = compare(logged, id, bt, n, &root);
	ck_assert_msg(root < STACK_FIRST_ID, "frame %d of %d: %p, not %#lx", same, n,
		      same < n ? bt[same] : NULL, (unsigned long)logged->nodes[root].pc);
	if (root == STACK_ROOT) {
		ck_assert_int_eq(same, n);
		logged->same++;
	} else {
		logged->truncated++;
	}
	return id;
}

typedef uint32_t leaf_fn(void);

static UNUSED NOINLINE uint32_t recurse(int depth, leaf_fn *leaf)
{
	uint32_t id = depth ? recurse(depth - 1, leaf) : leaf();

	sink++; /* prevents a tail call, which would remove this frame */
	return id;
}

/* A random call tree. The functions have frames of different sizes, so that the same pc and stack
 * pointer occur with different callers. */
struct plan {
	uint32_t seed;
	int depth;
};

static UNUSED uint32_t next_random(struct plan *p)
{
	p->seed = p->seed * 1664525u + 1013904223u;
	return p->seed >> 16;
}

static UNUSED uint32_t grow(struct plan *p);

#define BRANCH(name, bytes)                           \
	static NOINLINE uint32_t name(struct plan *p) \
	{                                             \
		volatile char room[bytes];            \
		uint32_t id;                          \
                                                      \
		room[0] = 1;                          \
		id = grow(p);                         \
		sink += room[0];                      \
		return id;                            \
	}
BRANCH(branch_16, 16)
BRANCH(branch_48, 48)
BRANCH(branch_100, 100)

static UNUSED NOINLINE uint32_t branch_alloca(struct plan *p)
{
	volatile char *room = alloca(16u << next_random(p) % 3);
	uint32_t id;

	room[0] = 1;
	id = grow(p);
	sink += room[0];
	return id;
}

static UNUSED NOINLINE uint32_t grow(struct plan *p)
{
	uint32_t id;

	if (p->depth-- <= 0)
		return hook();
	switch (next_random(p) % 4) {
	case 0:
		id = branch_16(p);
		break;
	case 1:
		id = branch_48(p);
		break;
	case 2:
		id = branch_alloca(p);
		break;
	default:
		id = branch_100(p);
		break;
	}
	sink++;
	return id;
}

static UNUSED void grow_many(unsigned n)
{
	struct plan p = { .seed = 1 };

	for (unsigned i = 0; i < n; i++) {
		p.depth = (int)(next_random(&p) % 12);
		grow(&p);
	}
}

static UNUSED NOINLINE uint32_t capture_only(void)
{
	uint32_t id = stack_capture_caller(logged->thread);

	log_new_frames(logged);
	return id;
}

static UNUSED int depth_of(const struct log *l, uint32_t id, uint32_t *root)
{
	int n = 0;

	for (; id >= STACK_FIRST_ID; id = l->nodes[id].caller)
		n++;
	*root = id;
	return n;
}

#endif

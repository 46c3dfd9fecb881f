/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compares the tracker's stacks with those of libgcc's unwinder in an arbitrary program. This
 * library is preloaded. At every UNWOUND_EVERYth malloc, calloc and realloc of the main thread, it
 * captures both stacks. When the program ends, it appends to the file UNWOUND_OUT:
 *
 * NAME captures N equal N truncated N wrong N
 *
 * A stack counts as truncated if it is marked as truncated and its frames are right. All other
 * differences count as wrong. With UNWOUND_SHOW, the addresses of the first wrong stacks follow.
 */
#include "call_stack.h"
#include "../unit/stack_shown.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <unwind.h>

enum { FRAMES = STACK_MAX_DEPTH, NODES = 1 << 20, SHOWN = 5 };

#define EXPORT __attribute__((visibility("default")))

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t size);

static struct {
	struct stack_thread *thread;
	struct node {
		uint64_t pc;
		uint32_t caller;
	} * nodes;
	struct shown *last; /* the last stack that was captured as STACK_LAST */
	/* the captured stack: addresses, innermost first, and what called the outermost frame */
	uint64_t ours[FRAMES];
	int n_ours;
	uint32_t root;
	/* the stack by libgcc's unwinder: code addresses in the order and form of call_stack.h */
	uint64_t other[FRAMES];
	int n;
	unsigned every, calls, shown;
	unsigned long captures, equal, truncated, wrong;
	pid_t pid;
	const char *out;
	bool show, busy;
} u;

static _Unwind_Reason_Code add_frame(struct _Unwind_Context *c, void *unused)
{
	int before = 0;
	uint64_t ip = _Unwind_GetIPInfo(c, &before);

	if (!ip || u.n == FRAMES)
		return _URC_END_OF_STACK;
	u.other[u.n++] = ip + (before != 0);
	return _URC_NO_REASON;
}

static void take_nodes(void)
{
	struct stack_frames f;

	while (stack_take_new(u.thread, 256, &f))
		for (uint32_t i = 0; i < f.n && f.first + i < NODES; i++)
			u.nodes[f.first + i] =
				(struct node){ f.pcs[i], i ? f.first + i - 1 : f.caller };
}

static void add_ours(uint64_t pc)
{
	if (u.n_ours < FRAMES)
		u.ours[u.n_ours++] = pc;
}

/* Stores the stack that stack_capture_caller() has returned. */
static void take_stack(uint32_t id, struct guard *guard)
{
	u.n_ours = 0;
	u.root = STACK_ROOT;
	if (id == STACK_LAST) {
		shown_change(u.last, u.thread);
		for (uint32_t i = u.last->n; i-- > 0;)
			add_ours(u.last->pcs[i]);
		stack_logged(u.thread, guard);
		return;
	}
	take_nodes();
	for (; id >= STACK_FIRST_ID && id < NODES; id = u.nodes[id].caller)
		add_ours(u.nodes[id].pc);
	u.root = id;
}

static void print(int from)
{
	FILE *f = fopen(u.out, "a");

	if (!f)
		return;
	fprintf(f, "ours:");
	for (int i = 0; i < u.n_ours; i++)
		fprintf(f, " %lx", (unsigned long)u.ours[i]);
	fprintf(f, " (%u)\nunwinder:", u.root);
	for (int i = from; i < u.n; i++)
		fprintf(f, " %lx", (unsigned long)u.other[i]);
	fprintf(f, "\n");
	fclose(f);
}

static void compare(uint64_t caller)
{
	int from = 0, n = 0;
	bool all, same;

	while (from < u.n && u.other[from] != caller)
		from++; /* skips the frames of this file, which only libgcc's unwinder sees */
	while (n < u.n_ours && from + n < u.n && u.ours[n] == u.other[from + n])
		n++;
	same = n == u.n_ours;
	all = from + n == u.n;
	u.captures++;
	if (same && all && u.root == STACK_ROOT) {
		u.equal++;
	} else if (same && n && u.root == STACK_TRUNCATED) {
		/* if libgcc's unwinder ends at this frame, too, the stacks are equal */
		*(all ? &u.equal : &u.truncated) += 1;
	} else {
		u.wrong++;
		if (u.show && u.shown++ < SHOWN)
			print(from);
	}
}

/* Starts to capture stacks: at the start of the program, and again in the child of a fork. */
static void begin(void)
{
	const char *every = getenv("UNWOUND_EVERY");

	u.pid = getpid();
	u.captures = u.equal = u.truncated = u.wrong = 0;
	if (u.thread)
		return;
	u.every = every ? (unsigned)atoi(every) : 97;
	u.out = getenv("UNWOUND_OUT");
	u.show = getenv("UNWOUND_SHOW") != NULL;
	u.thread = mmap(NULL, STACK_THREAD_SIZE, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	u.nodes = mmap(NULL, NODES * sizeof(*u.nodes), PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	u.last = mmap(NULL, sizeof(*u.last), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		      -1, 0);
	if (u.thread == MAP_FAILED || u.nodes == MAP_FAILED || u.last == MAP_FAILED)
		abort();
	stack_init(dlsym(RTLD_DEFAULT, "_dl_find_object"));
}

static inline __attribute__((always_inline)) void sample(void)
{
	uint64_t caller = (uint64_t)(uintptr_t)__builtin_return_address(0);
	struct guard guard;
	uint32_t id;

	if (u.busy || gettid() != getpid())
		return;
	u.busy = true;
	if (u.pid != getpid())
		begin();
	if (u.out && u.every && ++u.calls % u.every == 0) {
		id = stack_capture_caller(u.thread, &guard);
		take_stack(id, &guard);
		u.n = 0;
		_Unwind_Backtrace(add_frame, NULL);
		compare(caller);
	}
	u.busy = false;
}

EXPORT void *malloc(size_t size)
{
	sample();
	return __libc_malloc(size);
}

EXPORT void *calloc(size_t n, size_t size)
{
	sample();
	return __libc_calloc(n, size);
}

EXPORT void *realloc(void *p, size_t size)
{
	sample();
	return __libc_realloc(p, size);
}

/* After dlclose(), the code of a library may be unmapped, so the unwinder must forget the
 * library. */
EXPORT int dlclose(void *handle)
{
	static int (*real)(void *);
	int ret;

	if (!real)
		real = (int (*)(void *))dlsym(RTLD_NEXT, "dlclose");
	ret = real ? real(handle) : -1;
	stack_images_changed();
	return ret;
}

static void __attribute__((destructor)) finish(void)
{
	FILE *f;

	u.busy = true;
	if (!u.out || !u.captures || u.pid != getpid())
		return;
	f = fopen(u.out, "a");
	if (!f)
		return;
	fprintf(f, "%s captures %lu equal %lu truncated %lu wrong %lu\n",
		program_invocation_short_name, u.captures, u.equal, u.truncated, u.wrong);
	fclose(f);
}

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

static void print(uint32_t id, int from)
{
	FILE *f = fopen(u.out, "a");

	if (!f)
		return;
	fprintf(f, "ours:");
	for (; id >= STACK_FIRST_ID; id = u.nodes[id].caller)
		fprintf(f, " %lx", (unsigned long)u.nodes[id].pc);
	fprintf(f, " (%u)\nunwinder:", id);
	for (int i = from; i < u.n; i++)
		fprintf(f, " %lx", (unsigned long)u.other[i]);
	fprintf(f, "\n");
	fclose(f);
}

static void compare(uint32_t id, uint64_t caller)
{
	uint32_t at = id;
	int from = 0, i;

	while (from < u.n && u.other[from] != caller)
		from++; /* skips the frames of this file, which only libgcc's unwinder sees */
	for (i = from; at >= STACK_FIRST_ID && at < NODES && i < u.n; i++) {
		if (u.nodes[at].pc != u.other[i])
			break;
		at = u.nodes[at].caller;
	}
	u.captures++;
	if (i == u.n && at == STACK_ROOT) {
		u.equal++;
	} else if (at == STACK_TRUNCATED && i > from) {
		/* if libgcc's unwinder ends at this frame, too, the stacks are equal */
		*(i == u.n ? &u.equal : &u.truncated) += 1;
	} else {
		u.wrong++;
		if (u.show && u.shown++ < SHOWN)
			print(id, from);
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
	if (u.thread == MAP_FAILED || u.nodes == MAP_FAILED)
		abort();
	stack_init(dlsym(RTLD_DEFAULT, "_dl_find_object"));
}

static inline __attribute__((always_inline)) void sample(void)
{
	uint64_t caller = (uint64_t)(uintptr_t)__builtin_return_address(0);
	uint32_t id;

	if (u.busy || gettid() != getpid())
		return;
	u.busy = true;
	if (u.pid != getpid())
		begin();
	if (u.out && u.every && ++u.calls % u.every == 0) {
		id = stack_capture_caller(u.thread);
		take_nodes();
		u.n = 0;
		_Unwind_Backtrace(add_frame, NULL);
		compare(id, caller);
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

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Captures the call stack at a hooked call, and identifies it with a number.
 *
 * Stacks are stored as a tree of frames, one tree per thread. A node is (caller's node, return
 * address), and the id of a stack is the id of its innermost node. So each id identifies exactly
 * one list of addresses. Stacks with the same outer frames share the nodes of these frames, and a
 * log contains each node once. Ids count up from STACK_FIRST_ID. The caller of an outermost frame
 * is STACK_ROOT, STACK_TRUNCATED or STACK_SHORTENED (track_format.h).
 *
 * For every address, address - 1 is inside the calling instruction. The address is a return address
 * as stored in memory, or, for code interrupted by a signal, the interrupted address + 1. To list a
 * stack innermost first, follow the callers from the id.
 *
 * Nothing here allocates with malloc, prints or takes a lock (but see stack_init), and all of it
 * may run in a signal handler. A handler may interrupt a capture of the same thread while that
 * capture changes the state. The handler's own capture then returns only remembered stacks, else
 * STACK_TRUNCATED; it never waits and never damages the interrupted capture. If longjmp leaves a
 * capture, the next capture detects this and continues.
 *
 * Costs measured with bench/stackcost: about 5 ns plus 1 ns per frame for a stack seen before, 5 to
 * 10 ns per frame for a new outer part, 20 ns per frame for a walk by cached rules. A capture uses
 * 0.4 KiB of the program's stack.
 */
#ifndef MEMDB_PRELOAD_CALL_STACK_H
#define MEMDB_PRELOAD_CALL_STACK_H

#include "machine.h"
#include "track_format.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Size of one thread's state in bytes. The caller provides the memory, in whole pages. Zero bytes
 * are a valid empty state, so fresh pages from mmap can be used. A page is touched only when it is
 * needed. Only a program with thousands of call paths touches all pages. In addition, the tree maps
 * 26 to 52 bytes for each different node: at most 34 MiB, and 16 MiB more while its table grows. */
#define STACK_THREAD_SIZE (2400u << 10)

/* The first bytes of the state, which must be readable and writable. The rest may be without any
 * rights: call_stack.c makes it writable when it is needed (see STACK_THREAD_SIZE). So the other
 * programs keep more of their limit on private writable memory (RLIMIT_DATA). A multiple of all
 * page sizes, which are at most 64 KiB. */
#define STACK_FIRST_BYTES (192u << 10)
_Static_assert(STACK_FIRST_BYTES % (64 << 10) == 0, "must end with a page");

/* The first members of one thread's state, which only that thread and its signal handlers use.
 * Files other than stack*.c only read them. */
struct stack_thread {
	uint32_t next_id;  /* the next id to assign; 0 in a fresh state */
	uint32_t taken_id; /* stack_take_new() has returned all smaller ids */
	uint64_t hits;     /* number of captures that created neither nodes nor segments */
	uint64_t walks;    /* number of other captures */
	/* number of captures that yielded no stack, because memory ran out or because they
	 * interrupted another capture */
	uint64_t lost;
};

/* Some frames of one path. pcs is borrowed, and valid until the next call with this struct. */
struct stack_frames {
	/* id of pcs[0]. pcs[i] has the id first + i and was called by pcs[i - 1] */
	uint32_t first;
	/* the caller of pcs[0]: an id, STACK_ROOT, STACK_TRUNCATED or STACK_SHORTENED */
	uint32_t caller;
	uint32_t n;          /* at least 1 */
	const uint64_t *pcs; /* addresses, the outermost one first */
	/* used only by stack*.c: shows whether the stack_take_new() loop still runs, or whether
	 * longjmp has left it */
	_Atomic uint64_t mark;
};

/*
 * Sets the address of glibc's _dl_find_object (2.35 and later); NULL if there is none. Must be
 * called once in each image. Before the call, every stack is truncated after its first frame. A
 * second call does no harm.
 *
 * With NULL, dl_iterate_phdr finds the object of a new address. dl_iterate_phdr holds the lock of
 * the loader's list while it runs.
 */
void stack_init(void *dl_find_object);

/*
 * Returns the id of the stack whose innermost frame is (pc, sp, fp). pc is the return address of
 * the hook; sp is the stack pointer after that return, which is the hook's CFA; fp is the
 * frame-pointer register as the hook's caller left it. stack_capture_caller() finds these values.
 *
 * The thread must then write the frames that stack_take_new() returns, before or soon after the
 * record that uses the id.
 */
uint32_t stack_capture(struct stack_thread *t, uint64_t pc, uint64_t sp, uint64_t fp);

/* Are there ids that stack_take_new() has not returned yet? Costs two loads. */
static inline bool stack_has_new(const struct stack_thread *t)
{
	return t->next_id != t->taken_id;
}

/*
 * Gets the next frames to write to the log, at most max of them (max >= 1; a longer path comes in
 * several pieces). Returns false when there are none left. *out is a local variable of the caller
 * and need not be initialised. Call this in a loop with the same variable until the result is
 * false. Write each piece before the next call and before the thread's next capture.
 *
 * A signal handler that interrupts such a loop gets false: its new frames go to the interrupted
 * loop. Frames returned to a loop that longjmp left are returned once more (same id, same frame).
 * Frames that were not returned yet are dropped if there are more than 65,536 of them when a walk
 * begins, and when stack_images_changed() takes effect. The ids of dropped frames are not used
 * again.
 */
bool stack_take_new(struct stack_thread *t, uint32_t max, struct stack_frames *out);

/* Must be called after every dlclose(), because other code may be loaded at the same addresses
 * later. All threads forget the stacks and rules that they remember, and every stack gets a new id.
 * Every thread may call this function; it costs one atomic add. */
void stack_images_changed(void);

/* Must be called when the calling thread takes over the state of a thread that has ended. Ids and
 * frames stay valid; the bounds of the old thread's stack are forgotten. */
void stack_thread_moved(struct stack_thread *t);

/* Prepares for a new log, in the child after fork: ids begin again at STACK_FIRST_ID, and all
 * frames are new. Keeps the memory. Only the thread that owns t may call it. Returns false, and
 * changes nothing, in a signal handler that may have interrupted a capture which changes the state:
 * the capture will continue, so the thread needs another state. */
bool stack_reset(struct stack_thread *t);

/* Allocates memory for stacks that will be captured later. Called before the program forbids itself
 * system calls. Only the thread that owns t may call it, and not inside a capture. */
void stack_reserve(struct stack_thread *t);

/* Captures the stack, beginning with the caller of the function into which this one is inlined. Use
 * it only in the interposed function itself, for example malloc(), which must not be inlined. The
 * call of __builtin_frame_address() makes the compiler keep a frame pointer in that function. */
static inline __attribute__((always_inline)) uint32_t stack_capture_caller(struct stack_thread *t)
{
	const uint64_t *frame = (const uint64_t *)__builtin_frame_address(0);
	uint64_t pc = (uint64_t)(uintptr_t)__builtin_return_address(0);

#if defined(__aarch64__)
	/* The frame record may be anywhere in the frame, so its address does not show the CFA. */
	return stack_capture(t, code_address(pc), (uint64_t)(uintptr_t)__builtin_dwarf_cfa(),
			     frame[0]);
#else
	return stack_capture(t, pc, (uint64_t)(uintptr_t)(frame + 2), frame[0]);
#endif
}

#endif

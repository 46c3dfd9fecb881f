/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The call stack at a hooked call, named by a number.
 *
 * Stacks are kept as a tree of frames, one tree per thread: a node is (caller's node, return
 * address), and the id of a stack is the id of its innermost node. So an id means exactly one list
 * of addresses, stacks share their outer part, and a log writes each node once. Ids count up from
 * STACK_FIRST_ID; what calls an outermost frame is STACK_ROOT, STACK_TRUNCATED or STACK_SHORTENED
 * (track_format.h).
 *
 * Every address is such that address - 1 lies inside the calling instruction: a return address as
 * it stands in memory, and for the code that a signal interrupted its address + 1. Innermost first
 * means: follow the callers from the id.
 *
 * Nothing here allocates with malloc, prints or takes a lock (but see stack_init), and all of it
 * may run in a signal handler. A capture that interrupts another of the same thread while that
 * changes the state gets remembered stacks only, else STACK_TRUNCATED; it never waits and never
 * damages the interrupted one. A capture left by longjmp is noticed, and the next one goes on.
 *
 * bench/stackcost prices a capture: a stack seen before about 5 ns and 1 ns per frame, a new outer
 * part 5 to 10 ns per frame, a walk by remembered rules 20. It uses 0.4 KiB of the program's stack.
 */
#ifndef MEMDB_PRELOAD_STACK_H
#define MEMDB_PRELOAD_STACK_H

#include "machine.h"
#include "track_format.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Bytes of one thread's state. The memory is the caller's, 64-byte aligned; all zero bytes are a
 * valid empty state (fresh pages of mmap: touched only as far as used, the whole of it only by a
 * program with thousands of live call paths). Beside it the tree takes 26 to 52 bytes per
 * distinct node from mmap, at most 80 MiB.
 */
#define STACK_THREAD_SIZE (1792u << 10)

/*
 * Head of one thread's state. Used by one thread at a time (and by its signal handlers); only read
 * outside stack.c.
 */
struct stack_thread {
	uint32_t next_id;  /* ids below are defined; 0 in a fresh state */
	uint32_t taken_id; /* ids below were taken by stack_take_new() */
	uint64_t hits;     /* captures answered by comparing alone */
	uint64_t walks;    /* captures that walked, or made nodes */
	uint64_t lost;     /* captures without a stack: no memory, or interrupted another */
};

/* Some frames of one path. pcs is borrowed: valid until the next call with this struct. */
struct stack_frames {
	uint32_t first;        /* id of pcs[0]; pcs[i] has first + i, and i - 1 calls it */
	uint32_t caller;       /* what calls pcs[0]: an id, STACK_ROOT or STACK_TRUNCATED */
	uint32_t n;            /* at least 1 */
	const uint64_t *pcs;   /* OUTERMOST first */
	_Atomic uint64_t mark; /* stack.c's: tells whether the loop goes on or was left */
};

/*
 * Once per process, before the captures that shall be complete: takes the address of glibc's
 * _dl_find_object (2.35 and later), or NULL where there is none. Until then every stack is
 * truncated after its first frame. Calling it again is harmless.
 *
 * With NULL the object of an address never seen before is found by dl_iterate_phdr, which holds the
 * loader's list lock while it runs.
 */
void stack_init(void *dl_find_object);

/*
 * The stack whose innermost frame is (pc, sp, fp): the return address of the hook, the stack
 * pointer just after that return (the hook's CFA), and the frame-pointer register as the hook's
 * caller left it. stack_capture_caller() fills them in.
 *
 * Returns the id. The thread must then write what stack_take_new() gives before, or soon after, a
 * record that uses the id.
 */
uint32_t stack_capture(struct stack_thread *t, uint64_t pc, uint64_t sp, uint64_t fp);

/* Whether ids were made that stack_take_new() has not handed out yet. Two loads. */
static inline bool stack_has_new(const struct stack_thread *t)
{
	return t->next_id != t->taken_id;
}

/*
 * The next frames to write to the log, at most max of them (max >= 1; a path longer than that comes
 * in several pieces). Returns false when none are left. *out is a local variable of the caller and
 * need not be initialised: call in a loop with the same one until false, writing each piece before
 * the next call, and before the thread's next capture.
 *
 * A signal handler that comes between gets false: its new frames go to the loop that it
 * interrupted. Frames handed to a loop that was left by longjmp are handed out once more (the same
 * id, the same frame). Frames never taken (65,536 at most) are given up, as are those not taken
 * when stack_images_changed() takes effect; their ids are not used again.
 */
bool stack_take_new(struct stack_thread *t, uint32_t max, struct stack_frames *out);

/*
 * Code may have been unmapped: call after every dlclose(). All threads then forget remembered
 * stacks and rules, and give new ids to every stack, because the same address may now be other
 * code. Any thread may call it; one atomic add.
 */
void stack_images_changed(void);

/* A new thread takes over the state of one that ended: ids and frames stay, what was known of the
 * old thread's stack goes. */
void stack_thread_moved(struct stack_thread *t);

/*
 * A new log begins (the child after fork): ids start again at STACK_FIRST_ID and everything is new.
 * Keeps the memory. Only for the thread that owns t, not inside a capture.
 */
void stack_reset(struct stack_thread *t);

/* Makes room for the stacks to come, before memory can no longer be had. Likewise. */
void stack_reserve(struct stack_thread *t);

/* Gives the tree's memory back; t is then as fresh. The STACK_THREAD_SIZE bytes stay with their
 * owner. */
void stack_release(struct stack_thread *t);

/*
 * stack_capture() for the function that calls this, seen from its caller: put it into the
 * interposed function itself, which must not be inlined. Asking for the frame address makes the
 * compiler keep a frame pointer in that function.
 */
static inline __attribute__((always_inline)) uint32_t stack_capture_caller(struct stack_thread *t)
{
	const uint64_t *frame = (const uint64_t *)__builtin_frame_address(0);
	uint64_t pc = (uint64_t)(uintptr_t)__builtin_return_address(0);

#if defined(__aarch64__)
	/* The frame record is anywhere in the frame. */
	return stack_capture(t, code_address(pc), (uint64_t)(uintptr_t)__builtin_dwarf_cfa(),
			     frame[0]);
#else
	return stack_capture(t, pc, (uint64_t)(uintptr_t)(frame + 2), frame[0]);
#endif
}

#endif

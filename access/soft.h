/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The sampler soft: the program itself reports its accesses, by calls that a compiler inserts
 * (tsan.c) or by checks in its assembly code (as/).
 *
 * Nearly all accesses must cost only a subtraction and a branch. So each thread has a number of
 * accesses that may pass: memdb_soft_far. The access that makes this number negative is handled:
 * the accesses that have passed since the last grant (memdb_soft_granted minus memdb_soft_far) are
 * subtracted from the number of accesses until the next sample. If all accesses are counted, no
 * access may pass unhandled. In a program that is not recorded, one access in a million is handled,
 * and ignored.
 *
 * A subtraction in memory waits about five cycles for the previous one. So there are several such
 * numbers (lanes), each with its own next sample. Checks in assembly code use the lanes in turn;
 * tsan.c has one lane for loads, one for stores and one for atomic updates. The distances between
 * samples have a geometric distribution: each access is sampled with the same probability, no
 * matter which lane counts it.
 */
#ifndef MEMDB_ACCESS_SOFT_H
#define MEMDB_ACCESS_SOFT_H

#include "as/entry.h"
#include "gap.h"
#include "sampler.h"

#define SOFT_EXPORT __attribute__((visibility("default")))

/* For each lane: memdb_soft_far is the number of accesses of this thread that may still pass
 * without a report; memdb_soft_granted is the value that soft.c last stored in memdb_soft_far. The
 * names occur in assembly code, so they must not change. */
extern __thread int64_t memdb_soft_far[SOFT_LANES] __attribute__((tls_model("initial-exec")));
extern __thread int64_t memdb_soft_granted[SOFT_LANES] __attribute__((tls_model("initial-exec")));

/* For each lane, the number of accesses until its next sample; 0 means that sampling has not
 * begun. */
extern __thread uint64_t soft_lane_left[SOFT_LANES] __attribute__((tls_model("initial-exec")));

extern bool soft_enabled;

/* Does a file of the program, or of its libraries, report accesses by the compiler's calls? Set by
 * the first functions that run in such files (__tsan_init). */
extern bool soft_called;

/* The program itself: the addresses [low, high) of its code, which is mapped from the start. */
struct soft_program {
	uint64_t low, high;
	bool is_static;
};

extern struct soft_program soft_program;

/* How many samples of the program's own code this thread may still take before it must look for new
 * libraries. */
extern __thread uint32_t soft_trusted __attribute__((tls_model("initial-exec")));

/* Can an access by the instruction at ip be recorded without looking for new libraries? */
static inline bool soft_is_own(uint64_t ip)
{
	return ip - soft_program.low < soft_program.high - soft_program.low;
}

/* Subtracts the accesses that have passed unreported since the last soft_grant() from the number of
 * accesses until the next sample. If a signal handler ran between a check and this function, the
 * numbers may contradict each other: then no access counts as passed. n: see soft_count(). */
static inline void soft_settle(struct thread *t, unsigned lane, unsigned n)
{
	int64_t passed = memdb_soft_granted[lane] - (memdb_soft_far[lane] + n);

	if (passed < 0 || passed > memdb_soft_granted[lane])
		passed = 0;
	t->left = (soft_lane_left[lane] ? soft_lane_left[lane] : gap_next(&t->random)) -
		  (uint64_t)passed;
}

/* Permits the accesses before the next sample to pass without a report. */
static inline void soft_grant(const struct thread *t, unsigned lane)
{
	soft_lane_left[lane] = t->left;
	memdb_soft_granted[lane] = sampler_is_far(t) ? (int64_t)t->left - 1 : 0;
	memdb_soft_far[lane] = memdb_soft_granted[lane];
}

/* Creates the sampler's state of the calling thread, and writes where the thread's stack and
 * thread-local variables are. Keeps errno. */
struct thread *soft_begin_thread(void);

static inline struct thread *soft_thread(void)
{
	return thread_self ? thread_self : soft_begin_thread();
}

/* Finds the calls that have not returned, for programs in which the compiler does not report calls.
 */
typedef void soft_path(struct thread *t, const void *arg);

/* Finds these calls by the frame pointers; `frame` is the innermost frame. Can be passed where a
 * soft_path is wanted. */
void soft_find_path(struct thread *t, const void *frame);

/* Handles an access that may not pass without a report. The caller has subtracted it from the
 * lane's number already. path may be NULL. */
void soft_look(const struct access *a, unsigned lane, soft_path *path, const void *arg);

/* Called before and after each exec of the program (soft_exec.c): the first writes what all threads
 * have counted and sampled, the second continues after an exec that failed. In a vfork child they
 * do nothing, because the child uses its parent's memory. The first function returns whether it has
 * stopped sampling, which the second needs to know. */
bool soft_before_exec(void);
void soft_after_exec(bool stopped);

/* Finds the exec functions of the next library. */
void soft_exec_begin(void);

/* Returns the number of accesses that an access of this kind counts for: two for an atomic update,
 * otherwise one. */
static inline unsigned soft_count(unsigned kind)
{
	return (kind & ACCESS_LOAD) + (kind >> 1);
}

static inline unsigned soft_lane(unsigned kind)
{
	return kind - 1;
}

/* Not inlined, so that the fast path of the callers needs no frame. If the compiler was told not to
 * report calls, no call is stored; the callers are then found by frame pointers. A function without
 * a frame reaches this function by a jump, so the frame pointer that is saved in this function's
 * frame is the program's. */
static __attribute__((noinline, cold, unused)) void soft_look_at(uint64_t ip, const void *address,
								 unsigned bytes, unsigned kind)
{
	const struct access a = { ip, (uint64_t)address, bytes, kind };
	const void *const *frame = __builtin_frame_address(0);
	const bool by_frames = !thread_self || !thread_self->depth;

	soft_look(&a, soft_lane(kind), by_frames ? soft_find_path : NULL, *frame);
	if (by_frames && thread_self)
		thread_self->depth = 0;
}

static inline void soft_see(uint64_t ip, const void *address, unsigned bytes, unsigned kind)
{
	int64_t *far = &memdb_soft_far[soft_lane(kind)];

	*far -= soft_count(kind);
	if (__builtin_expect(*far < 0, 0))
		soft_look_at(ip, address, bytes, kind);
}

#endif

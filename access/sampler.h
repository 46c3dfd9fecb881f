/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Handles each access of the program, which the emulator or an instrumented program reports. */
#ifndef MEMDB_ACCESS_SAMPLER_H
#define MEMDB_ACCESS_SAMPLER_H

#include "pages.h"
#include "sampler_kind.h"
#include "thread.h"

/* ns; after a sample, the buffer is flushed if the last flush was longer ago than this. So if a
 * thread that takes samples is killed, only the records of about this time are lost. */
#define SAMPLER_FLUSH_NS UINT64_C(100000000)
/* ns; the same for a thread that may now wait for a long time. A flush takes some µs. */
#define SAMPLER_PAUSE_NS UINT64_C(1000000)

struct access {
	uint64_t ip, address;
	unsigned bytes, kind;
};

/* Returns the sampler's state of the calling thread. The first call of a thread creates it. */
static inline struct thread *sampler_thread(void)
{
	return thread_self ? thread_self : thread_begin();
}

/* Handles an access in the general way: simulates the caches, samples or counts the access, and
 * reports it if it is the first one to its page. sampler_access() does this only where it is
 * needed. */
void sampler_look(struct thread *t, const struct access *a);

/* Is the next sample so far away that the thread's next access cannot be sampled, even if it is
 * both a load and a store? If so, and if the page was accessed before, sampler_skip() is enough for
 * this access. The result is always false if each access must be handled (thread.least). */
static inline bool sampler_is_far(const struct thread *t)
{
	return t->left > t->least;
}

/* Handles an access that is not sampled: it only decreases the number of accesses until the next
 * sample. May be called only if sampler_is_far() is true. */
static inline void sampler_skip(struct thread *t, unsigned kind)
{
	t->left -= (kind & ACCESS_LOAD) + (kind >> 1);
}

static inline void sampler_access(struct thread *t, const struct access *a)
{
	if (sampler_is_far(t) && pages_known(a->address))
		sampler_skip(t, a->kind);
	else
		sampler_look(t, a);
}

/* Called before a system call, in which the thread may wait for a long time: ends its turn
 * (turns.h), and writes counts and records that are old enough. */
void sampler_pause(struct thread *t);

/* The emulator may access a wide operand in several parts. The parts are one access, but its level
 * in the simulated caches is known only after the last part. sampler_part() receives a part;
 * `first` is true for the first part of an operand. sampler_finish() completes the operand, if
 * there is one. It must be called before other accesses. */
void sampler_part(struct thread *t, const struct access *a, bool first);
void sampler_finish_operand(struct thread *t);

static inline void sampler_finish(struct thread *t)
{
	if (__builtin_expect(t->parts.kind, 0))
		sampler_finish_operand(t);
}

/* Stores a call whose return address, `back`, is on the stack at address `slot`. Removes stored
 * calls whose slot is at this address or below, because they have returned or were left by
 * longjmp(). */
void sampler_call(struct thread *t, uint64_t slot, uint64_t back);

/* Called when a function has returned to the return address at `slot`. */
void sampler_return(struct thread *t, uint64_t slot);

/* Counts n executed instructions, the first of which is at ip. Takes a sample when the thread has
 * executed at least INSTRUCTIONS_PERIOD (sampler.c) instructions since the last sample; their
 * number is its period. */
void sampler_instructions(struct thread *t, uint64_t ip, uint32_t n);

#endif

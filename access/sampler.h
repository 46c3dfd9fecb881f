/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Processes each access, from the emulator or an instrumented program. */
#ifndef MEMDB_ACCESS_SAMPLER_H
#define MEMDB_ACCESS_SAMPLER_H

#include "pages.h"
#include "thread.h"

/* Bits: a load, a store. An atomic update is both. */
enum { ACCESS_LOAD = 1, ACCESS_STORE = 2 };

struct access {
	uint64_t ip, address;
	unsigned bytes, kind;
};

/* Returns the calling thread's state, which it creates if there is none. */
static inline struct thread *sampler_thread(void)
{
	return thread_self ? thread_self : thread_begin();
}

/*
 * Processes an access completely: samples or counts it, runs the model, and reports the first
 * access to a page.
 */
void sampler_look(struct thread *t, const struct access *a);

/* Is the next sample so far away that sampler_skip() is enough for an access to a known page? */
static inline bool sampler_is_far(const struct thread *t)
{
	return t->left > t->least;
}

/* Counts an access that is not sampled. Call it only if sampler_is_far(). */
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

/* Passes another part of the previous access to the cache model. */
void sampler_more(struct thread *t, const struct access *a);

/*
 * Notes a call whose return address is at slot. Drops earlier calls with slots at or below this
 * one: they returned, or longjmp() left them.
 */
void sampler_call(struct thread *t, uint64_t slot, uint64_t back);

/* Notes that a function returned to the address stored at slot. */
void sampler_return(struct thread *t, uint64_t slot);

/* Counts n executed instructions. The first is at ip. Takes a sample once per period. */
void sampler_instructions(struct thread *t, uint64_t ip, uint32_t n);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is done at each access, whoever saw it. */
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

/* The calling thread's state. */
static inline struct thread *sampler_thread(void)
{
	return thread_self ? thread_self : thread_begin();
}

/* An access that may be drawn, counted, modelled, or the first to its page. */
void sampler_look(struct thread *t, const struct access *a);

/* Is the next sample so far away that sampler_skip() is enough for an access to a known page? */
static inline bool sampler_is_far(const struct thread *t)
{
	return t->left > t->least;
}

/* Counts an access that is not sampled. Only after sampler_is_far(). */
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

/* More bytes of the access before, for the cache model. */
void sampler_more(struct thread *t, const struct access *a);

/* A function is called: its return address lies at slot. Calls whose slots are at or below it are
 * over: they returned, or longjmp() left them. */
void sampler_call(struct thread *t, uint64_t slot, uint64_t back);

/* A function returned by the return address at slot. */
void sampler_return(struct thread *t, uint64_t slot);

/* n instructions ran, from ip on. */
void sampler_instructions(struct thread *t, uint64_t ip, uint32_t n);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The sampler soft: the program itself reports its accesses, by the calls of a compiler (tsan.c) or
 * by checks in its assembly (as/).
 *
 * Nearly all accesses must cost nothing but a subtraction and a branch. So each thread has a number
 * of accesses that may pass: memdb_soft_far. An access that makes it negative is looked at, and
 * what has passed since (memdb_soft_granted less memdb_soft_far) is taken off the accesses that
 * remain until the next sample. If all accesses are counted, none may pass. In a program that is
 * not recorded, one in a million is looked at, and ignored.
 *
 * A subtraction in memory waits for the one before, some five cycles. So there are several such
 * numbers (lanes), which take turns, each with its own next sample. The distances between samples
 * are geometric: each access is sampled with the same chance, in whichever lane it is counted.
 */
#ifndef MEMDB_ACCESS_SOFT_H
#define MEMDB_ACCESS_SOFT_H

#include "as/entry.h"
#include "sampler.h"

#define SOFT_EXPORT __attribute__((visibility("default")))

/* How many accesses of this thread may still pass, and how many might at the last grant. Assembly
 * names them, so they keep these names. */
extern __thread int64_t memdb_soft_far[SOFT_LANES] __attribute__((tls_model("initial-exec")));
extern __thread int64_t memdb_soft_granted[SOFT_LANES] __attribute__((tls_model("initial-exec")));

extern bool soft_enabled;

/* Finds the calls that have not returned, where no calls of the compiler have stored them. */
typedef void soft_path(struct thread *t, const void *arg);

/* Handles one access that may not pass, after it was subtracted from the number of this lane. path
 * may be NULL. */
void soft_look(const struct access *a, unsigned lane, soft_path *path, const void *arg);

/* How many accesses an access counts for: an atomic update is two. */
static inline unsigned soft_count(unsigned kind)
{
	return (kind & ACCESS_LOAD) + (kind >> 1);
}

static inline unsigned soft_lane(unsigned kind)
{
	return kind - 1;
}

/* Not inlined, so that the callers' fast path needs no frame. */
static __attribute__((noinline, cold, unused)) void soft_look_at(uint64_t ip, const void *address,
								 unsigned bytes, unsigned kind)
{
	const struct access a = { ip, (uint64_t)address, bytes, kind };

	soft_look(&a, soft_lane(kind), NULL, NULL);
}

static inline void soft_see(uint64_t ip, const void *address, unsigned bytes, unsigned kind)
{
	int64_t *far = &memdb_soft_far[soft_lane(kind)];

	*far -= soft_count(kind);
	if (__builtin_expect(*far < 0, 0))
		soft_look_at(ip, address, bytes, kind);
}

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What one timer sample shows about the accesses that it may have waited for: their addresses,
 * which are computed from the sample's registers; the objects at these addresses; and by how much
 * the addresses change in each iteration of a loop. The plan of the sampled instruction
 * (waits/waits.h) lists the accesses. */
#ifndef MEMDB_IMPORT_ASKED_H
#define MEMDB_IMPORT_ASKED_H

#include "import/waits.h"

/* The sample whose wait is analysed, and the facts about it. */
struct asked {
	struct import *im;
	const struct waiter *who;
	uint32_t place; /* number of the sampled instruction in the account (waits/account.h) */
	const struct wait_plan *plan;
	struct account_sample seen;
	/* indexed by candidate of the plan: how other threads use the candidate's cache line */
	enum line_state lines[ACCOUNT_MOST];
	uint64_t regs[64], has; /* register values, and a mask of those that the sample contains */
	uint32_t tests;         /* mask of the tests plan->tests that are true */
};

/* Reads from the sample the registers that the plan needs, and sets a->tests. */
void asked_read(struct asked *a);

/* Computes the address of an access from the registers of the sample. Returns false if one is
 * missing. */
bool asked_address(const struct asked *a, const struct wait_address *from, uint64_t *out);

/* The same for the address of candidate *c, in the way that c->by says. Also returns false if it is
 * WAIT_BY_NOTHING, or if the sample shows that the candidate had another address (c->moved). */
static inline bool asked_candidate(const struct asked *a, const struct wait_candidate *c,
				   uint64_t *out)
{
	return c->by != WAIT_BY_NOTHING && !(a->tests & c->moved) &&
	       asked_address(a, &c->address, out);
}

/* Returns the object at an address; 0 means none. */
uint32_t asked_object(const struct asked *a, uint64_t address);

/* Returns a bit mask of the branches by which the thread may have come to the sampled instruction.
 * All bits are set if the sample excludes every branch. */
unsigned asked_ways(const struct asked *a);

/* Returns the number of bytes of a heap object's blocks that were in use at one time; 0 if it has
 * small blocks, or is none. */
uint64_t asked_room(const struct asked *a, uint32_t object);

/* Returns the size in bytes of the range over which accesses to an object may spread. 0 means
 * unknown. It is unknown for the parts of a stack that are not a local variable, because a thread
 * uses only a part of its stack. */
uint64_t asked_extent(const struct asked *a, uint32_t object);

/* The address computed for a candidate is in no object. Does that prove that the candidate did not
 * run? The thread may have come to ip by one of several branches, and the registers yield an
 * address for the candidates on each branch. The result is false for the operand of the instruction
 * before ip (WAIT_OWN), for an address that does not come from the candidate's own registers or
 * copies of them, and in an untracked process. In a tracked process, every address that was really
 * accessed is in an object. */
bool asked_was_skipped(const struct asked *a, const struct wait_candidate *c);

/* Do the registers of the sample show that candidate *c did not run (struct wait_test)? */
static inline bool asked_did_not_run(const struct asked *a, const struct wait_candidate *c)
{
	return a->tests & c->tests;
}

/* Does the candidate run in this iteration, if it did not run before? Only a load of a loop without
 * branches does for sure. Its miss of this iteration overlaps with the wait, too, but its address
 * is not known. */
static inline bool asked_runs_now(const struct asked *a, const struct wait_candidate *c)
{
	return !a->plan->loop.branches && wait_is_beside(&a->plan->loop, c);
}

/* `address` is that of candidate *c, and `object` is what asked_object() returned for it. Only
 * malloc accesses the bytes right before and after a heap block. So if `address` is there, and the
 * instruction before ip or one after it accesses this block, candidate *c did not run: the sample
 * is from the first iteration of a loop, for example. Then returns the position in plan->candidates
 * of the candidate for the instruction before ip (WAIT_OWN), otherwise -1. */
int asked_instead(const struct asked *a, const struct wait_candidate *c, uint64_t address,
		  uint32_t object);

/* If candidate *c is a load that has overwritten its own base register (c->pointee), an access
 * through the loaded pointer represents it. Is the object of that access different from `usual`,
 * the object that contains nearly all known addresses of the load itself? In lists and trees
 * (c->loop) the two are the same, but other pointers lead from one object to another. If `usual` is
 * 0 (unknown), returns whether such pointers usually do (wait_is_pointed()). Returns false for any
 * other candidate. */
static inline bool asked_elsewhere(const struct wait_candidate *c, uint32_t object, uint32_t usual)
{
	return c->pointee && !c->loop && (usual ? object != usual : wait_is_pointed(c));
}

/* Returns by how many bytes the address of candidate *c changes in each iteration; 0 means unknown.
 * If the loop loads a pointer to a row of a matrix and accesses an element of that row, the result
 * is the distance between two rows. If each row is a heap block, this distance is assumed to be the
 * size of the block; otherwise it is unknown. */
int64_t asked_step(const struct asked *a, const struct wait_candidate *c, uint64_t address);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tables of an account (account.h), and the estimate of the shares of a wait. The estimate uses
 * what is known about the operands so far. Used only in waits/.
 */
#ifndef MEMDB_WAITS_ESTIMATE_H
#define MEMDB_WAITS_ESTIMATE_H

#include "base/arena.h"
#include "waits/account.h"
#include "waits/operand.h"
#include "waits/reuse.h"
#include "waits/turns.h"

/* A sampled instruction, which account.h calls a place. */
struct spot {
	const struct wait_plan *plan;
	/* ids of the operands of the plan's candidates, then of plan->accesses; 0 means that the
	 * operand is not tracked */
	uint32_t *operands;
	/* indexed by candidate: whether a sample may have waited for the candidate, according to
	 * wait_share() before anything was known about the operands. Only such candidates have an
	 * object in struct wait */
	bool *possible;
	double reach[CACHE_LEVELS]; /* as in reach_find() */
	/* ids of the loops around it in the account's `turns`: nloops loops of plan->nest, or
	 * plan->loop if it has a counter */
	uint32_t loops[NEST_LOOPS];
	uint8_t nloops;
	/* a copy of plan->nest, with what the samples have shown of its steps, and the reuse in it;
	 * NULL if there is no nest */
	struct nest *nest;
	struct reuse *reuse;
};

/* A wait (account.h): all samples at one instruction with the same ways, whose candidates access
 * the same objects. Arrays are indexed by candidate. The last element of `given` and `share` is for
 * samples that belong to no candidate. */
struct wait {
	uint32_t place, ways;
	/* object of each candidate; 0 means unknown, or that the candidate cannot get a share;
	 * ACCOUNT_SKIPPED means that the candidate did not run */
	uint32_t *objects;
	/* number of samples so far, and the number at which the shares are estimated again */
	uint64_t samples, next;
	/* period: sum of the periods of all samples; given[]: the part of this sum that each
	 * candidate got */
	double period, *given;
	float *share;
	/* sums of fractions of each candidate's samples of which it is not clear whether they are a
	 * wait (is_of_part()): when one reaches 1, the sample is no cost. They begin with different
	 * values, so that also of waits with one sample each, as many are a cost as should be */
	double *costless;
	/* sums of fractions of samples, always below 1 (is_of_part()). When `atomic` reaches 1, a
	 * sample counts as time of the atomic operation itself (ATOMIC_CYCLES). When `computing`
	 * reaches 1, a sample counts as time of the loop's arithmetic; when `jumped` does, as time
	 * of a mispredicted jump. When `unsure` reaches 1, it is not clear whether a sample is a
	 * wait or arithmetic */
	double atomic, computing, jumped, unsure;
	/* share of the loop's time that it would need without cache misses (pace.other) */
	double computes;
	double jumping; /* share of its time that mispredicted jumps may take (pace.jumps) */
	/* share of the samples for which it is not clear whether they are a wait: as in struct
	 * pace; or 1 if all waits are short, and the code is in no simple loop */
	double unclear;
	/* sum of the periods of the samples that counted as time of the loop's arithmetic, or of an
	 * atomic operation that may miss: how long either takes is not exactly known */
	double hidden;
	/* bit mask of the ways whose samples may show the time of a mispredicted jump */
	uint8_t jumps;
	enum wait_level level;
};

struct account {
	struct wait_caches caches;
	struct arena arena;
	struct {
		struct spot *at;
		uint32_t n, cap;
	} places;
	struct {
		struct operand *at;
		uint32_t n, cap;
	} operands;
	struct {
		struct wait *at;
		uint32_t n, cap;
	} waits;
	struct index operand_index, wait_index;
	struct {
		struct near_address at[ACCOUNT_MOST];
		unsigned n;
	} now; /* the addresses of the current sample */
	struct turns turns;
	bool nomem;
};

/* Returns the counter of loop l of p->nloops. */
static inline const struct wait_counter *spot_counter(const struct spot *p, unsigned l)
{
	return p->nest ? &p->nest->loops[l].turns : &p->plan->loop.counter;
}

/* Returns what the code alone shows about candidate *x of the plan. In the result, the
 * object is 0 (unknown) and the expected wait is WAIT_UNSEEN. */
struct wait_choice estimate_choice(const struct wait_plan *plan, const struct wait_candidate *x);

/* Estimates the members of *w that depend on the operands: the shares, the level and others. Also
 * sets the number of samples at which they are estimated again. */
void estimate_wait(struct account *a, struct wait *w);

/* Computes the shares of those candidates of a wait that ran (not ACCOUNT_SKIPPED) and are on a way
 * (a sequence of instructions that leads to ip) in the bit mask w->ways. Stores them in c[], their
 * positions in the plan in index[], both of ACCOUNT_MOST elements, and the slowest level in *level.
 * Returns their number. */
unsigned estimate_shares(struct account *a, const struct wait *w, struct wait_choice *c,
			 unsigned *index, enum wait_level *level);

#endif

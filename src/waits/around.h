/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Judges the accesses around a sampled instruction together: how they share the caches, and whether
 * their loop waits for memory or for its arithmetic. Used only in waits/. */
#ifndef MEMDB_WAITS_AROUND_H
#define MEMDB_WAITS_AROUND_H

#include "waits/operand.h"
#include "waits/pace.h"
#include "waits/reuse.h"

enum { AROUND_MOST = WAIT_WAYS * WAIT_CANDIDATES + WAIT_AHEAD };

/* Computes reach[]: how the accesses of the n operands share the caches (reach.h). Elements of
 * operands[] may be NULL. First calls operand_judge() for each operand for which operand_is_due()
 * is true. If there is no such operand and reach[0] is not 0, leaves reach[] unchanged. */
void around_reach(struct operand *const *operands, unsigned n, const struct wait_caches *c,
		  double reach[CACHE_LEVELS]);

/* Estimates how often the accesses of *nest, a copy of plan->nest, fetch a cache line. runs[] has
 * how often its loops run (reuse.h), operands[] the operands of the plan's candidates, then of
 * plan->accesses; NULL if nothing is known about an operand. */
void around_reuse(const struct wait_plan *plan, const struct nest *nest,
		  struct operand *const *operands, const double runs[NEST_LOOPS],
		  const struct wait_caches *c, struct reuse *out);

/* Does the loop of the plan wait for memory, or for its arithmetic (pace.h)? operands[] is as in
 * around_reuse(). `reuse` is its result, or NULL if there is no plan->nest. `turn` is as in
 * pace_judge(). */
struct pace around_pace(const struct wait_plan *plan, struct operand *const *operands,
			const struct reuse *reuse, double turn, const struct wait_caches *c,
			const double reach[CACHE_LEVELS]);

/* Sets cycles[i] for each candidate i of the plan: how many cycles it takes in an iteration if
 * bandwidth is the limit (pace_transfers()); 0 if it is not in the plan's loop. The other
 * parameters are as in around_pace(). */
void around_transfers(const struct wait_plan *plan, struct operand *const *operands,
		      const struct reuse *reuse, double turn, const struct wait_caches *c,
		      const double reach[CACHE_LEVELS], double *cycles);

#endif

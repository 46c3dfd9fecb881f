/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Estimates how often the accesses of nested loops fetch a cache line, from how far each loop moves
 * their addresses and how often it runs (nest.h).
 *
 * If all lines that one run of a loop touches fit into a cache, the next run finds there those that
 * it touches again. So an access that the loop around does not move fetches its lines only once for
 * all runs, until a loop further out moves it (Wolf & Lam 1991: self-temporal reuse across a
 * localized iteration space).
 */
#ifndef MEMDB_WAITS_REUSE_H
#define MEMDB_WAITS_REUSE_H

#include "waits/nest.h"
#include "waits/reach.h"

/* For each access of the nest: the lines that it fetches. For a cache level in which it does not
 * come back to its lines as long as they are there, as far as the loops show, it is 1: then their
 * footprint and order say more. */
struct reuse {
	bool known; /* false: nothing is known yet */
	struct reach_fetched fetched[NEST_ACCESSES];
	/* how often the access goes on at a place that depends on data, each time it runs; 0 means
	 * unknown */
	float jumps[NEST_ACCESSES];
};

/* Computes *out. runs[l] is the number of iterations that loop l usually runs, 0 if it is unknown.
 * most[i] is the size in bytes of the memory that access i touches in total, INFINITY if it is
 * unknown. If the number of the innermost loop is unknown, so is the result. */
void reuse_find(const struct nest *n, const double runs[NEST_LOOPS], const double *most,
		const struct wait_caches *c, struct reuse *out);

/* Returns what is known of the access of instruction `insn` (bytes from the start of the function);
 * NULL if it is not in the nest, or cannot come back to its lines while they are in the first two
 * levels. For the last level, its footprint says as much. Both pointers may be NULL. Sets *again if
 * it is not NULL: does an earlier access fetch the same lines? */
const struct reach_fetched *reuse_of(const struct reuse *r, const struct nest *n, uint32_t insn,
				     bool *again);

/* Returns jumps[] of the access of instruction `insn`, 0 if nothing is known of it. */
double reuse_jumps(const struct reuse *r, const struct nest *n, uint32_t insn);

#endif

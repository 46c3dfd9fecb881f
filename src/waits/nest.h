/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Describes the loops around a sampled instruction, from the innermost one on, and by how much each
 * of them moves the addresses of the accesses inside. So it shows which accesses come back to the
 * same cache lines, and how soon (reuse.h):
 *
 *	for (i = ii; i < ii + 32; i++)
 *		for (k = kk; k < kk + 32; k++)
 *			for (j = jj; j < jj + 32; j++)
 *				c[i][j] += a[i][k] * b[k][j];
 *
 * The loop over k does not move c, and the loop over i does not move b, so a block of either stays
 * in the first-level cache, although the addresses in samples, a millisecond apart, spread over the
 * entire matrix.
 *
 * How often a loop runs is not in the code, but in the samples: the registers contain its counter
 * and the limit with which the counter is compared, so how many iterations remain. In a sample at a
 * random time, about half of them remain on average.
 */
#ifndef MEMDB_WAITS_NEST_H
#define MEMDB_WAITS_NEST_H

#include "waits/waits.h"

#include <stddef.h>

struct body;
struct loop;
struct loop_step;

enum {
	NEST_LOOPS = 4,     /* maximum number of loops, each around the one before */
	NEST_ACCESSES = 48, /* maximum number of accesses in them */
};

/* A loop of the nest. */
struct nest_loop {
	/* its last instruction, which jumps back: bytes from the start of the function. Several
	 * loops may start at the same instruction, but only one ends at it */
	uint32_t end;
	/* (limit - counter) / step is the number of iterations that remain at a sample, with the
	 * current one; step is 0 if the loop has no such counter in a register */
	struct wait_term counter, limit;
	int64_t step;
	/* whether it can also end in another way, as a search does: then it runs at most as often
	 */
	bool early;
	/* the register that shows how the loop goes on; none if the loop does not contain the
	 * instruction before ip */
	struct wait_counter turns;
};

struct nest_access {
	uint32_t insn; /* bytes from the start of the function */
	uint8_t loop;  /* the innermost loop that contains it, as an index of nest.loops */
	uint8_t bytes; /* size of the access; 0 means unknown */
	/* how much an iteration of each loop from `loop` on moves its address, bytes. WAIT_NO_STEP
	 * or WAIT_SOME_STEP means that the address may be anywhere else in the next iteration */
	int32_t steps[NEST_LOOPS];
	/* for WAIT_SOME_STEP: the same, computed from a sample's registers, if `known` is set */
	struct wait_stride strides[NEST_LOOPS];
	/* whether an earlier access in the list accesses the same cache lines: its address differs
	 * only by a small constant */
	bool again;
};

struct nest {
	uint8_t n, naccesses;
	uint64_t registers; /* mask of those that nest_left() and nest_learn() need (PERF_REG_*
			       bits) */
	struct nest_loop loops[NEST_LOOPS]; /* n loops, the innermost one first */
	struct nest_access accesses[NEST_ACCESSES];
};

/* Returns the size of a copy of *n that has only the accesses that are used. */
static inline size_t nest_bytes(const struct nest *n)
{
	return offsetof(struct nest, accesses) + n->naccesses * sizeof(n->accesses[0]);
}

/* Describes the loops around ip, an instruction's position in *b: those around the loop *inner,
 * which has been found with loop_find() or loop_inside(); steps[] are its steps, from loop_steps().
 * In a loop that does not contain the instruction before ip, `from`, the registers of a sample say
 * nothing of its iterations. scratch[] has 2 * LOOP_LONGEST elements, which are overwritten.
 * Returns false if there is only this loop, or if the accesses of both it and the next one are not
 * all known. */
bool nest_find(struct body *b, uint32_t from, uint32_t ip, const struct loop *inner,
	       const struct loop_step *steps, struct loop_step *scratch, struct nest *out);

/* Replaces unknown steps of the nest by what a sample's registers show. A step that differs from
 * sample to sample becomes unknown for good. */
void nest_learn(struct nest *n, const uint64_t regs[64]);

/* Computes from a sample's registers how many iterations of loop l remain. Returns false if it is
 * not known, or not plausible, or if none remain: in a sample at the instruction after the loop, it
 * has ended, and such samples are many if the jump out of a short loop is mispredicted. */
bool nest_left(const struct nest *n, unsigned l, const uint64_t regs[64], double *left);

#endif

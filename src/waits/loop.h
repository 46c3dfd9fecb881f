/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The innermost loop around an instruction: how long its arithmetic takes, and how far its accesses
 * move in an iteration; used only in waits/.
 */
#ifndef MEMDB_WAITS_LOOP_H
#define MEMDB_WAITS_LOOP_H

#include "waits/body.h"
#include "waits/waits.h"

/* The instructions first..last of a function; last < first means that there is no loop. `skipped`
 * has a bit for each instruction from `first` on that a branch inside the loop may skip. */
enum { LOOP_LONGEST = 256 };
struct loop {
	uint32_t first, last;
	uint64_t skipped[LOOP_LONGEST / 64];
	bool branches;
};

/* Finds the innermost loop that contains instruction k. Returns false if there is none that can be
 * examined (struct wait_loop). */
bool loop_find(struct body *b, uint32_t k, struct loop *out);

/* Estimates how many cycles the arithmetic of an iteration takes, and counts the accesses of the
 * loop. */
struct wait_loop loop_describe(struct body *b, const struct loop *l);

/* Sets steps[k - first], for each instruction k of the loop that accesses memory, to the bytes by
 * which its address moves in an iteration, or to WAIT_NO_STEP. */
void loop_steps(struct body *b, const struct loop *l, int32_t steps[LOOP_LONGEST]);

#endif

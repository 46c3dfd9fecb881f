/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Estimates for which of its candidates a sample waited. The probability of a candidate is
 * proportional to its expected wait:
 *
 *   - Candidates that are expected to hit the first cache level have no share if another one is
 *     expected to miss it.
 *   - An instruction waits for its own operand and for the values that flow into it. A value
 *     from the previous iteration of a loop counts only if a recurrent load loaded it (a load that
 *     yields its own next address), or if there is no other operand or value. If there are none at
 *     all, other accesses among the last few instructions (the window) count.
 *   - A load that gives the instruction a value, but does not retire together with it
 *     (WAIT_TOGETHER), has been waited for before, at instructions in between. So it has no
 *     share if the instruction's own operand misses, unless it is recurrent.
 *   - If there are no recurrent loads, misses of several iterations of a loop are in flight
 *     together, no matter which instruction retires last. So a wait for a scattered load is shared
 *     with other scattered loads of the loop, each object once, by the number of its cache lines
 *     that an iteration loads: with all of them if the loop contains no branch, otherwise with
 *     walks in large steps (wait_is_beside()). Waits for the
 *     second cache level do not count: they are hidden behind the longer ones.
 *   - While the thread waits for a recurrent load, loads of its loop that do not depend on it are
 *     in flight, too, for as many iterations as fit into the reorder buffer. Their cost is divided
 *     by the number of these iterations, but at most by MISSES (share.c). Loads outside the loop
 *     start only when the loop ends. A recurrent load whose addresses are in order, such as one
 *     through records of different lengths, is prefetched, so nothing is hidden behind it.
 *   - A store that misses retires at once, but stays in the store buffer. When the buffer is full,
 *     the next instruction waits, whichever it is. So scattered stores count, unless a load fetched
 *     their lines. If a jump may skip the store, it is not known how often the store runs, and the
 *     buffer is assumed to be seldom full. Such a store is possible, but gets no share.
 *   - A load before the loop that gives its first iteration a value is possible if it misses, but
 *     gets no share.
 *   - If the thread waits only for streams, the limit is bandwidth: all streams, stores included,
 *     share the wait, each object once, by the time in which their bytes are transferred. If this
 *     time is not known for one of them, they have equal shares.
 *   - Short waits of loads in the loop, as for the second cache level, overlap with each other and
 *     with streams. What takes longer limits the loop, so all streams together and all these loads
 *     together have shares in proportion to the squares of their times.
 *   - Several ways (sequences of instructions) that lead to ip are assumed to run equally often. So
 *     the probability of a way is proportional to the longest expected wait on it. What was never
 *     seen does not count: such a way may run seldom.
 */
#ifndef MEMDB_WAITS_SHARE_H
#define MEMDB_WAITS_SHARE_H

#include <stdbool.h>
#include <stdint.h>

#include "waits/waits.h"

/* A candidate of a sample, or of all samples whose candidates have the same objects. */
struct wait_choice {
	uint32_t object; /* the object that it accesses; 0 means unknown */
	uint32_t insn, loop_start, loop_end;
	uint8_t how, way, loop; /* as in struct wait_candidate */
	bool only_stores, stream;
	bool inside; /* whether it is a load in the innermost loop */
	bool beside; /* whether its misses overlap with others of the loop (wait_is_beside()) */
	/* number of cache lines that the loop's loads touch around it in an iteration; 0 counts as
	 * 1 */
	uint8_t lines;
	bool loaded;      /* whether it is a store whose line a load has already fetched */
	uint8_t distance; /* as in struct wait_candidate */
	bool optional;    /* whether a jump on the way to ip may skip it */
	/* whether it is expected to take less time than a mispredicted jump */
	bool quick;
	/* whether it is a stream that advances so fast that it may be limited by bandwidth */
	bool fast;
	bool known;  /* whether `wait` is an estimate from samples or the code */
	double wait; /* expected wait, cycles, on average */
	/* the same only for those that miss the first level, if the loops around it show how many
	 * these are (reuse.h); otherwise 0 */
	double miss;
	/* for a stream of the loop: cycles in which the bytes that all streams through its object
	 * advance by in an iteration are transferred. For another load of the loop: cycles in which
	 * its lines are, if many such loads overlap. 0 means unknown */
	double transfer;
	double share;  /* result: the probability that a sample waited for it, 0 to 1 */
	bool possible; /* result: whether the sample may have waited for it */
};

/* Expected wait, in cycles, of an access whose address and object are unknown. */
#define WAIT_UNSEEN 5.0

/* The slowest access that a sample may have waited for. */
enum wait_level {
	/* no wait for memory: all accesses hit the first cache level, or the loop's arithmetic
	 * takes longer than its memory accesses (pace.h) */
	WAIT_HITS,
	/* the loop's arithmetic, or a mispredicted jump, may take longer than the memory accesses
	 */
	WAIT_UNCLEAR,
	WAIT_STREAMS, /* all misses are in order, so the hardware prefetches them */
	WAIT_MISSES,
};

/* Sets the shares of the candidates c[0..n), which are sorted by way. The shares add up to 1 if
 * each way has a candidate that takes time, otherwise to less. Returns the level of the slowest
 * access on all ways. */
enum wait_level wait_share(struct wait_choice *c, unsigned n);

#endif

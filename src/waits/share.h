/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Estimates which of its candidates a sample waited for: each with a probability in proportion to
 * its expected wait.
 *
 *   - An instruction waits for its own operand and for the values that flow into it. Of values
 *     that come around a loop, only those of recurrent loads count. Other accesses of the window
 *     count if there is none of these.
 *   - While a recurrent load is waited for, loads of its loop that do not depend on it are in
 *     flight too, for as many iterations as the reorder buffer holds: their cost is divided by
 *     that. Loads outside the loop start only when it ends.
 *   - A store that misses retires at once, but stays in the store buffer. When that is full, any
 *     instruction waits. So scattered stores always count, unless a load fetched the lines before.
 *   - If only streams are waited for, the limit is bandwidth: all streams share it equally,
 *     stores included, each object once.
 *   - Several ways to ip are equally likely.
 */
#ifndef MEMDB_WAITS_SHARE_H
#define MEMDB_WAITS_SHARE_H

#include <stdbool.h>
#include <stdint.h>

#include "waits/waits.h"

/* A candidate as one sample (or several alike) saw it. */
struct wait_choice {
	uint32_t object; /* 0 unknown */
	uint32_t insn, loop_start, loop_end;
	uint8_t how, way, loop; /* these as in struct wait_candidate */
	bool only_stores, stream;
	bool loaded;   /* a load has brought the line that it stores to */
	double wait;   /* expected, cycles */
	double share;  /* result: 0 to 1 */
	bool possible; /* result: it may have been waited for */
};

/* Assumed wait of a load of which neither an address nor an object was ever seen, cycles. */
#define WAIT_UNSEEN 5.0

/* The slowest access that a sample may have waited for. */
enum wait_level {
	WAIT_HITS,    /* all hit the first cache level: memory was not waited for */
	WAIT_STREAMS, /* all misses are in order, so they are prefetched */
	WAIT_MISSES,
};

/* Sets the shares of all n candidates. They add up to 1 if each way has a candidate that takes
 * time, else to less. */
enum wait_level wait_share(struct wait_choice *c, unsigned n);

#endif

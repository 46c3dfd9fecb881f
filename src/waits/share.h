/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which of a sample's candidates it waited for, how likely: each in proportion to what it is
 * expected to take.
 *
 *   - An instruction waits for its own operand and for what flows into it; of what comes around a
 *     loop, only for loads that are recurrent. Others of the window count where there is none of
 * these.
 *   - While a recurrent load is waited for, those that do not depend on it are under way too, as
 * many as the reorder buffer holds turns of the loop: they cost that much less.
 *   - Where all that is waited for are streams, the bandwidth is: all streams share it alike, those
 *     that are stored too, each object once.
 *   - Several ways to ip are equally likely.
 */
#ifndef MEMDB_WAITS_SHARE_H
#define MEMDB_WAITS_SHARE_H

#include <stdbool.h>
#include <stdint.h>

#include "waits/waits.h"

/* A candidate as one sample (or several of a kind) saw it. */
struct wait_choice {
	uint32_t object; /* 0 unknown */
	uint8_t how, way, loop;
	bool stream;
	double wait;   /* expected, cycles */
	double share;  /* set: 0 to 1 */
	bool possible; /* set: it may have been waited for */
};

/* What a load is taken for of which neither an address nor an object was ever seen, cycles. */
#define WAIT_UNSEEN 5.0

/* The slowest that a sample may have waited for. */
enum wait_level {
	WAIT_HITS, /* all hit the first level of the cache: it was no memory that was waited for */
	WAIT_STREAMS, /* all misses are in order, so that they are fetched ahead */
	WAIT_MISSES,
};

/* Sets the shares of all n, which add up to 1 if each way has a candidate that takes time, else to
 * less. */
enum wait_level wait_share(struct wait_choice *c, unsigned n);

#endif

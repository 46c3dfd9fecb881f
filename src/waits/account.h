/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The waits of a whole recording. Each sample says at which place it stood and which objects the
 * candidates' addresses lie in. Samples of one place with the same objects are one *wait*: they are
 * shared alike. What an operand is expected to take is known when all samples have been seen, so
 * shares come last. The memory does not grow with the samples: see the bounds below.
 */
#ifndef MEMDB_WAITS_ACCOUNT_H
#define MEMDB_WAITS_ACCOUNT_H

#include "waits/series.h"
#include "waits/waits.h"

enum {
	ACCOUNT_MOST = WAIT_WAYS * WAIT_CANDIDATES, /* candidates of one place */
	ACCOUNT_OPERANDS = 1 << 15,                 /* that are followed; others count as unseen */
	ACCOUNT_THREADS = 4,                        /* threads of which an operand is followed */
	ACCOUNT_WAITS = 1 << 17,                    /* different ones */
};

struct account;

/* c is copied. MD_ENOMEM. */
int account_open(const struct wait_caches *c, struct account **out, struct md_err *err);
void account_close(struct account *a); /* NULL is fine */

/* Makes a place known: plan, which must outlive a, of an ip in the function that begins at `start`
 * bytes of the file dso. Returns its id, 0 when out of memory. Ask once for each ip. */
uint32_t account_place(struct account *a, const struct wait_plan *plan, uint32_t dso,
		       uint64_t start);
const struct wait_plan *account_plan(const struct account *a, uint32_t place);

/* What of a candidate (or of an access ahead: plan->n and on) is worth finding out for the sample
 * at hand; both 0: nothing. */
enum account_wish {
	WISH_OBJECT = 1, /* it can have a share: its object tells waits apart */
	WISH_SERIES =
		2, /* its address, for account_saw(); not of each sample where there are many */
};
unsigned account_wishes(struct account *a, uint32_t place, unsigned which);

/* An address of the operand, in the order of time, and the object there (not 0). */
void account_saw(struct account *a, uint32_t place, unsigned which, uint32_t thread,
		 uint64_t address, uint32_t object);

/* The wait of a sample. ways: bits of those that it may have come on; objects: by candidate, 0 not
 * known. Its id, counted from 1; 0: there are ACCOUNT_WAITS others, or memory ran out. */
uint32_t account_wait(struct account *a, uint32_t place, unsigned ways, const uint32_t *objects);

uint32_t account_waits(const struct account *a);

/* One object's part of a wait. */
struct wait_part {
	uint32_t object; /* 0: not known which */
	double share;    /* 0: it can be, but is not expected to take time */
};

/*
 * The parts of a wait, each object once, into out[0..ACCOUNT_MOST + 1]; returns how many. Shares
 * add up to 1. *memory: one of its operands is expected to miss the first level of the cache; where
 * it is false, the time was not memory's.
 */
unsigned account_parts(struct account *a, uint32_t wait, struct wait_part *out, bool *memory);

/* Did memory run out? */
bool account_nomem(const struct account *a);

#endif

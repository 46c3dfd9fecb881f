/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The waits of a whole recording. Each sample says at which place it stood and which objects the
 * candidates' addresses lie in. Samples of one place with the same objects are one *wait*: they are
 * shared alike, and dealt out. Each sample goes to the candidate that has got least of its share so
 * far, so that after any number of samples each has its share of them, but for one. What operands
 * are expected to take is known better with each sample; shares follow, and what was dealt too much
 * or too little before is made up for. The memory does not grow with the samples: see the bounds
 * below.
 */
#ifndef MEMDB_WAITS_ACCOUNT_H
#define MEMDB_WAITS_ACCOUNT_H

#include "waits/series.h"
#include "waits/share.h"
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

/* The operand's address is gone, but it lies in an object of so many bytes. */
void account_within(struct account *a, uint32_t place, unsigned which, uint64_t bytes);

/* The wait of a sample. ways: bits of those that it may have come on; objects: by candidate, 0 not
 * known. Its id, counted from 1; 0: there are ACCOUNT_WAITS others, or memory ran out. */
uint32_t account_wait(struct account *a, uint32_t place, unsigned ways, const uint32_t *objects);

/* Who gets a sample. */
struct account_deal {
	int candidate;   /* of the place's plan; -1: nobody that is known */
	uint32_t object; /* what its operand is nearly always in, for one whose address is gone; 0:
			    it varies */
	enum wait_level level; /* of all that may have been waited for */
};

/* Deals a sample of that period to a candidate. */
void account_deal(struct account *a, uint32_t wait, uint64_t period, struct account_deal *out);

/* For each wait and each object that it may have been for: what the samples stand for that were
 * dealt to others, or not to a known one. */
typedef void account_others_fn(void *arg, uint32_t object, double period);
void account_others(struct account *a, account_others_fn *fn, void *arg);

/* Did memory run out? */
bool account_nomem(const struct account *a);

#endif

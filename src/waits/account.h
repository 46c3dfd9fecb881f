/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Distributes the waits of a recording. Each sample reports its place and the objects in which the
 * candidates' addresses lie. Samples at one place with the same objects are one *wait* and have the
 * same shares. Each sample is dealt to the candidate that has received least in proportion to its
 * share. So after any number of samples each candidate has its share, to within one sample. The
 * estimates of how long operands take improve with each sample; the shares follow, and earlier
 * excess or deficit is made up for. The memory does not grow with the number of samples: see the
 * bounds below.
 */
#ifndef MEMDB_WAITS_ACCOUNT_H
#define MEMDB_WAITS_ACCOUNT_H

#include "waits/reach.h"
#include "waits/share.h"
#include "waits/waits.h"

enum {
	ACCOUNT_MOST = WAIT_WAYS * WAIT_CANDIDATES, /* candidates of one place */
	/* operands that are followed; others count as unseen */
	ACCOUNT_OPERANDS = 1 << 15,
	ACCOUNT_THREADS = 4,     /* threads for which an operand is followed */
	ACCOUNT_WAITS = 1 << 17, /* different waits */
};

struct account;

/* c is copied. Returns 0 or MD_ENOMEM. */
int account_open(const struct wait_caches *c, struct account **out, struct md_err *err);
void account_close(struct account *a); /* NULL is fine */

/* Adds the place of an ip in the function that starts at file offset `start` of dso; plan must
 * outlive a. Returns its id, 0 when out of memory. Call once for each ip. */
uint32_t account_place(struct account *a, const struct wait_plan *plan, uint32_t dso,
		       uint64_t start);
const struct wait_plan *account_plan(const struct account *a, uint32_t place);

/* What the account needs to know about a candidate (or an access ahead: plan->n and on) for the
 * current sample, as a bit mask. */
enum account_wish {
	WISH_OBJECT = 1, /* it may get a share: its object distinguishes waits */
	WISH_SERIES = 2, /* its address, for account_saw(); requested for fewer samples once there
			    are many */
};
unsigned account_wishes(struct account *a, uint32_t place, unsigned which);

/* The sample in which an address was seen; time and period in ns. */
struct account_sample {
	uint32_t thread;
	uint64_t time, period;
};

/* An address of the operand, in time order, and the object there (not 0). */
void account_saw(struct account *a, uint32_t place, unsigned which, const struct account_sample *s,
		 uint64_t address, uint32_t object);

/* The operand's address is lost, but it lies in an object of this size. */
void account_within(struct account *a, uint32_t place, unsigned which, uint64_t bytes);

/* The wait of a sample: its id, counted from 1; 0 if there are ACCOUNT_WAITS others, or memory ran
 * out. ways: bit mask of the ways by which the place may have been reached. objects: by candidate,
 * 0 unknown. */
uint32_t account_wait(struct account *a, uint32_t place, unsigned ways, const uint32_t *objects);

/* Who gets a sample. */
struct account_deal {
	int candidate; /* position in the place's plan; -1: no known candidate */
	/* if its address is lost: the object that its operand is nearly always in; 0: it varies */
	uint32_t object;
	enum wait_level level; /* of everything that may have been waited for */
};

/* Deals a sample with that period to a candidate. */
void account_deal(struct account *a, uint32_t wait, uint64_t period, struct account_deal *out);

/* Called for each wait and each object that it may have been for, with the periods of samples that
 * were dealt to others, or to no known candidate. */
typedef void account_others_fn(void *arg, uint32_t object, double period);
void account_others(struct account *a, account_others_fn *fn, void *arg);

/* Did memory run out? */
bool account_nomem(const struct account *a);

#endif

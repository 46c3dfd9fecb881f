/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Distributes the waits of a recording among the candidates. Each sample reports its place and the
 * objects that contain the candidates' addresses. Samples at one place with the same objects are
 * one *wait* and have the same shares. Each sample is dealt to the candidate that has received
 * least in proportion to its share, so after any number of samples each candidate has its share, to
 * within one sample. The estimates of the operands' latencies improve with each sample. The shares
 * follow, and earlier excess or deficit is made up for. Memory does not grow with the number of
 * samples: see the limits below.
 */
#ifndef MEMDB_WAITS_ACCOUNT_H
#define MEMDB_WAITS_ACCOUNT_H

#include "waits/reach.h"
#include "waits/share.h"
#include "waits/waits.h"

enum {
	ACCOUNT_MOST = WAIT_WAYS * WAIT_CANDIDATES, /* candidates of one place */
	/* operands that are tracked; others count as unseen */
	ACCOUNT_OPERANDS = 1 << 15,
	ACCOUNT_THREADS = 4,     /* threads for which an operand is tracked */
	ACCOUNT_WAITS = 1 << 17, /* different waits */
};

struct account;

/* Opens an account in *out, which the caller frees with account_close(). Copies c. Returns 0 or
 * MD_ENOMEM. */
int account_open(const struct wait_caches *c, struct account **out, struct md_err *err);
void account_close(struct account *a); /* NULL is fine */

/* Adds the place of an ip in the function that starts at file offset `start` of dso. plan must
 * outlive a. Returns the place's id, or 0 when out of memory. Call it once for each ip. */
uint32_t account_place(struct account *a, const struct wait_plan *plan, uint32_t dso,
		       uint64_t start);
const struct wait_plan *account_plan(const struct account *a, uint32_t place);

/* Data that the account needs about a candidate (or an access ahead: number plan->n and up) in the
 * current sample, as a bit mask. */
enum account_wish {
	WISH_OBJECT = 1, /* its object, because it may get a share and then distinguishes waits */
	WISH_SERIES = 2, /* its address, for account_saw(); requested for fewer samples once
			  * there are many */
};
unsigned account_wishes(struct account *a, uint32_t place, unsigned which);

/* The sample that has an address; time and period in ns. */
struct account_sample {
	uint32_t thread;
	uint64_t time, period;
};

/* Adds an address of the operand, in time order, and the object (not 0) that contains it. */
void account_saw(struct account *a, uint32_t place, unsigned which, const struct account_sample *s,
		 uint64_t address, uint32_t object);

/* Adds that the operand lies in an object of this size, although its address is lost. */
void account_within(struct account *a, uint32_t place, unsigned which, uint64_t bytes);

/*
 * Returns the id of a sample's wait; 0 if there are ACCOUNT_WAITS others or memory ran out. ways:
 * bit mask of the ways by which the place may have been reached. objects: by candidate; 0 means
 * unknown.
 */
uint32_t account_wait(struct account *a, uint32_t place, unsigned ways, const uint32_t *objects);

/* The candidate that gets a sample. */
struct account_deal {
	int candidate; /* position in the place's plan; -1: no known candidate */
	/* the object that its operand is nearly always in, for use if the address is lost; 0 means
	 * it varies */
	uint32_t object;
	enum wait_level level; /* of all candidates that may have been waited for */
};

/* Deals a sample with this period to a candidate. */
void account_deal(struct account *a, uint32_t wait, uint64_t period, struct account_deal *out);

/* Calls fn for each wait and each object that it may have been for, with the sum of the periods of
 * samples that were dealt to other objects, or to no known candidate. */
typedef void account_others_fn(void *arg, uint32_t object, double period);
void account_others(struct account *a, account_others_fn *fn, void *arg);

/* Did memory run out? */
bool account_nomem(const struct account *a);

#endif

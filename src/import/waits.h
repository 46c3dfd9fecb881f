/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What timer samples waited for: chooses among the candidates of waits/ with the sample's
 * registers. */
#ifndef MEMDB_IMPORT_WAITS_H
#define MEMDB_IMPORT_WAITS_H

#include "waits/account.h"

struct import;
struct pd_sample;

struct import_waits {
	struct waits *code;      /* NULL: not supported on this architecture */
	struct account *account; /* NULL: likewise */
	struct {
		/* by location: its place in the account + 1; 1: none, 0: not looked up yet */
		uint32_t *at;
		uint32_t n, cap;
	} places;
	/* samples attributed to their own operand, because there were too many waits */
	uint64_t unshared;
};

/* A timer sample of user code with registers of a 64-bit program. process, thread: 0 unknown. */
struct waiter {
	const struct pd_sample *sample;
	uint32_t process, thread, location;
	uint64_t sp, period; /* sp: 0 unknown */
};

/* What a sample waited for, as far as it is known. */
struct waited_for {
	const struct wait_candidate *operand; /* NULL: unknown */
	/* source of `address`; ADDR_OBJECT: only the object is known; ADDR_NONE: the address is
	 * lost */
	enum addr_source source;
	uint64_t address;      /* ADDR_OBJECT: one in the same block, 0: unknown */
	uint32_t object;       /* the object, if source is ADDR_OBJECT */
	bool certain;          /* the instruction before ip is the one that ran */
	enum wait_level level; /* of everything that it may have waited for */
};

/* Call after the decoder is open. Returns 0 or MD_ENOMEM. */
int waits_begin(struct import *im);
void waits_release(struct import_waits *w);

/* False if no candidates are known: then only the operand of the instruction before ip remains. */
bool waits_find(struct import *im, const struct waiter *who, struct waited_for *out);

/* Call at the end: writes rows of other_waits, and a loss for samples that were not shared out.
 * Returns 0 or MD_ENOMEM. */
int waits_write(struct import *im);

#endif

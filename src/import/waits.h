/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds what timer samples waited for: chooses among the candidates of waits/ with the sample's
 * registers. */
#ifndef MEMDB_IMPORT_WAITS_H
#define MEMDB_IMPORT_WAITS_H

#include "waits/account.h"

struct import;
struct pd_sample;

struct import_waits {
	struct waits *code;      /* NULL means not supported on this architecture */
	struct account *account; /* NULL means not supported on this architecture */
	struct {
		/* by location: its place in the account + 1; 1: none, 0: not looked up yet */
		uint32_t *at;
		uint32_t n, cap;
	} places;
	/* samples attributed to their own operand, because there were too many different waits */
	uint64_t unshared;
};

/* A timer sample in user code of a 64-bit program, with registers. process, thread: 0 unknown. */
struct waiter {
	const struct pd_sample *sample;
	uint32_t process, thread, location;
	uint64_t sp, period; /* sp: 0 unknown */
};

/* What a sample waited for, as far as known. */
struct waited_for {
	struct wait_access operand; /* its instruction and kind; not its address */
	/* source of `address`; ADDR_OBJECT: only the object is known; ADDR_NONE: the address is
	 * lost, or the operand is unknown */
	enum addr_source source;
	uint64_t address;      /* ADDR_OBJECT: one in the same block, 0 means unknown */
	uint32_t object;       /* the object, if source is ADDR_OBJECT */
	bool certain;          /* the instruction before ip is the one that ran */
	enum wait_level level; /* level of all that the sample may have waited for */
};

/* Opens the analysis and its account. Call after the decoder is open. Returns 0 or MD_ENOMEM. */
int waits_begin(struct import *im);
void waits_release(struct import_waits *w);

/* Finds what a sample waited for. False if no candidates are known or there are too many different
 * waits: then only the operand of the instruction before ip remains. */
bool waits_find(struct import *im, const struct waiter *who, struct waited_for *out);

/* Writes the rows of other_waits, and a loss for samples without a share. Call at the end. Returns
 * 0 or MD_ENOMEM. */
int waits_write(struct import *im);

#endif

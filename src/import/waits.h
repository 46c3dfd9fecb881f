/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What timer samples waited for: from registers to one of the candidates of waits/. */
#ifndef MEMDB_IMPORT_WAITS_H
#define MEMDB_IMPORT_WAITS_H

#include "waits/account.h"

struct import;
struct pd_sample;

struct import_waits {
	struct waits *code;      /* NULL: code of the architecture is not followed */
	struct account *account; /* NULL likewise */
	struct {
		uint32_t *at; /* by location: its place in the account + 1, 1 none, 0 not asked */
		uint32_t n, cap;
	} places;
	uint64_t unshared; /* samples with their own operand alone: there were too many waits */
};

/* A timer sample of user code with registers of a 64-bit program. process, thread: 0 unknown. */
struct waiter {
	const struct pd_sample *sample;
	uint32_t process, thread, location;
	uint64_t sp, period; /* sp: 0 unknown */
};

/* What a sample waited for, as far as it is known. */
struct waited_for {
	const struct wait_candidate *operand; /* NULL: nobody knows */
	enum addr_source source; /* of `address`; ADDR_OBJECT: only the object is known; ADDR_NONE:
				    the address is gone */
	uint64_t address;
	uint32_t object;       /* ADDR_OBJECT: it */
	bool certain;          /* the instruction before ip is the one that ran */
	enum wait_level level; /* of all that it may have waited for */
};

/* After the decoder is open. MD_ENOMEM. */
int waits_begin(struct import *im);
void waits_release(struct import_waits *w);

/* False where no candidates are known: then the operand of the instruction before ip is all there
 * is. */
bool waits_find(struct import *im, const struct waiter *who, struct waited_for *out);

/* At the end: rows of other_waits, and a loss for what was not shared. MD_ENOMEM. */
int waits_write(struct import *im);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Unwinds copies of user stacks to the user part of call chains. */
#ifndef MEMDB_IMPORT_USERSTACK_H
#define MEMDB_IMPORT_USERSTACK_H

#include <stdbool.h>
#include <stdint.h>

#include "symbol/unwind.h"

struct import;
struct pd_sample;

/* Has the sample all that a walk of the user stack needs? */
bool userstack_has(struct import *im, const struct pd_sample *s);
/* Walks the user part of a sample as unwind_stack() does; cfas gets the frames' CFAs. process is
 * not 0. */
enum unwind_end userstack_walk(struct import *im, uint32_t process, const struct pd_sample *s,
			       uint64_t *ips, uint64_t *cfas, uint32_t max, uint32_t *n);

/* The innermost frame, determined from the registers alone. */
struct leaf {
	uint64_t ip, cfa;
	bool linked; /* the function keeps a frame pointer, which leads to its caller */
};

/* Determines the innermost frame. False if the registers or the unwind rules do not suffice. */
bool userstack_leaf(struct import *im, uint32_t process, const struct pd_sample *s,
		    struct leaf *out);

/* Was the recording made on AArch64? */
bool userstack_is_arm(struct import *im);

#endif

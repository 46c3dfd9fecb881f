/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copies of user stacks: to the user's part of call chains. */
#ifndef MEMDB_IMPORT_USERSTACK_H
#define MEMDB_IMPORT_USERSTACK_H

#include <stdbool.h>
#include <stdint.h>

#include "symbol/unwind.h"

struct import;
struct pd_sample;

/* Has the sample what a walk through the user's stack needs? */
bool userstack_has(struct import *im, const struct pd_sample *s);
/* As unwind(), for the user's part of a sample, with the frames' CFAs. process is not 0. */
enum unwind_end userstack_walk(struct import *im, uint32_t process, const struct pd_sample *s,
			       uint64_t *ips, uint64_t *cfas, uint32_t max, uint32_t *n);

/* The innermost frame, by the registers alone. */
struct leaf {
	uint64_t ip, cfa;
	bool linked; /* the function keeps a frame pointer, so its caller is known by it */
};

/* False where the registers or the unwind rules do not tell it. */
bool userstack_leaf(struct import *im, uint32_t process, const struct pd_sample *s,
		    struct leaf *out);

/* Is the recording of an AArch64 machine? */
bool userstack_is_arm(struct import *im);

#endif

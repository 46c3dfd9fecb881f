/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Unwinds copies of user stacks, for the user part of call chains. */
#ifndef MEMDB_IMPORT_USERSTACK_H
#define MEMDB_IMPORT_USERSTACK_H

#include <stdbool.h>
#include <stdint.h>

#include "symbol/unwind.h"

struct import;
struct pd_sample;

/* Does the sample have the registers and the stack copy that a walk needs, from a machine whose
 * stacks memdb can unwind? */
bool userstack_has(struct import *im, const struct pd_sample *s);
/* Walks the user stack of a sample. The arguments ips, max and n and the result are those of
 * unwind_stack(). cfas[] gets the CFA of each frame. process must not be 0. */
enum unwind_end userstack_walk(struct import *im, uint32_t process, const struct pd_sample *s,
			       uint64_t *ips, uint64_t *cfas, uint32_t max, uint32_t *n);

/* The innermost frame of a stack. */
struct leaf {
	uint64_t ip, cfa;
	uint64_t fp; /* the frame pointer register; known only for x86-64 */
	/* whether the function certainly keeps a frame pointer, which leads to the caller's frame;
	 * known only for x86-64 */
	bool linked;
	/* whether the frame pointer certainly is that of a caller, because the function has not set
	 * it; known only for x86-64 */
	bool unlinked;
};

/* Finds the innermost frame from the registers alone. Returns false if the registers or the unwind
 * rules of the function do not suffice. */
bool userstack_leaf(struct import *im, uint32_t process, const struct pd_sample *s,
		    struct leaf *out);

/* Was the recording made on AArch64? */
bool userstack_is_arm(struct import *im);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MEMDB_NAMING_TAIL_CALL_H
#define MEMDB_NAMING_TAIL_CALL_H

#include "model/code.h"

enum { TAIL_CALLS = 3 }; /* maximum number of jumps from function to function that are followed */

struct tail_call {
	uint32_t location; /* a location in the file of the jump */
	uint64_t offset;   /* file offset of the last byte of the jump */
};

/*
 * Finds the functions that are missing between two neighbouring locations of a call path. A
 * function whose last statement is a call often jumps to the other function, and leaves no frame:
 * `outer` called it, and the path goes on with `inner`, which is in the function that it jumped to.
 * Calls and jumps may lead through the table by which a file reaches functions of other files, or
 * its own ones that another file may replace. Writes the jumps to at[], the innermost first, and
 * returns their number; 0 if `outer` called the function of `inner` itself, or if that is unknown:
 * the call is indirect, a function is in a third file, or the jumps are not among the first 16,384
 * instructions. The table's entries are known only for x86-64.
 */
unsigned tail_calls(struct code *c, uint32_t outer, uint32_t inner,
		    struct tail_call at[TAIL_CALLS]);

#endif

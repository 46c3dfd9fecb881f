/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Handles the accesses that the checks in a program report: as/entry.S calls these functions. */
#ifndef MEMDB_ACCESS_AS_REPORT_H
#define MEMDB_ACCESS_AS_REPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "as/entry.h"

/* How entry.S saves the vector registers: 0, XSAVE_PLAIN or XSAVE_COMPACT, whichever is
 * the best that CPU and kernel support. */
extern uint8_t soft_xsave;

/* What the samples of loads [0] and stores [1] have as source (stream_sample.source). */
extern uint64_t soft_source[2];

/* Does the same as soft_report(), without vector registers. Returns false if it did nothing,
 * because the sample needs more than it can do. */
bool soft_report_fast(uint64_t address, uint64_t ip, unsigned what, uint64_t n, const void *frame);

/* Handles an access to `address` by the instruction at `ip`. `what` is the third argument of
 * memdb_soft_at (as/entry.h); `frame` is the program's frame pointer, if the program was built with
 * frame pointers; n is not used. */
void soft_report(uint64_t address, uint64_t ip, unsigned what, uint64_t n, const void *frame);

/* Handles the n accesses of a string instruction with a rep prefix. The first is to `address`. */
void soft_report_repeated(uint64_t address, uint64_t ip, unsigned what, uint64_t n,
			  const void *frame);

/* Returns the number of bytes of an access from the third argument of memdb_soft_at
 * (as/entry.h). */
static inline unsigned entry_bytes(unsigned what)
{
	return (what & (ENTRY_THREAD_LOCAL - 1)) >> ENTRY_BYTES_SHIFT;
}

#endif

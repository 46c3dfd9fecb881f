/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MEMDB_ACCESS_AS_REPORT_H
#define MEMDB_ACCESS_AS_REPORT_H

#include <stdint.h>

/* How entry.S saves the vector registers: 0, XSAVE_PLAIN or XSAVE_COMPACT, whichever is
 * the best that CPU and kernel support. */
extern uint8_t soft_xsave;

/* Handles an access to `address` by the instruction at `ip`. `what` is the third argument of
 * memdb_soft_at (as/entry.h); `frame` is the program's frame pointer, if the program was built with
 * frame pointers; n is not used. */
void soft_report(uint64_t address, uint64_t ip, unsigned what, uint64_t n, const void *frame);

/* Handles the n accesses of a string instruction with a rep prefix. The first is to `address`. */
void soft_report_repeated(uint64_t address, uint64_t ip, unsigned what, uint64_t n,
			  const void *frame);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds addresses whose registers were loaded from the stack frame and have been overwritten since.
 * Without optimization, most accesses are like this: mov -16(%rbp),%rax; mov 8(%rax),%rax. A sample
 * does not show words of the frame, but there may be a register with the same value:
 * - a parameter from which the word was set, in a function that calls no other;
 * - a register that was loaded from the same word later, before ip.
 * Used only in waits/.
 */
#ifndef MEMDB_WAITS_SPILLED_H
#define MEMDB_WAITS_SPILLED_H

#include "waits/value.h"

/* Computes the address of operand *m of instruction k. `v` has the values of the registers before
 * k. Searches straight-line code before k for the instructions that set the operand's registers.
 * Returns false if the address depends on other values than those that registers have at ip, or if
 * the frame has no frame pointer. The first call for a function decodes it completely. */
bool spilled_address(struct body *b, uint32_t k, const struct values *v, const struct insn_mem *m,
		     struct wait_address *out);

#endif

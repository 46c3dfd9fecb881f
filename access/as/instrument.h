/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Puts checks into the assembly text of a compiler, so that the program counts and samples its own
 * accesses.
 *
 * A block is a series of instructions that are only executed together. Before the first access of
 * each block stands
 *
 *	subq $N, memdb_soft_far      N: the number of loads and stores in the block
 *	js   copy of the block       taken if the result is negative
 *
 * and nothing else is changed: the program executes the instructions that the compiler chose, with
 * the registers it chose. memdb_soft_far is the number of accesses that need not be reported. The
 * copy stands at the end of the function. In it, each access is reported before it is made, with
 * the address of its instruction in the original block. access/as/entry.S receives these calls.
 *
 * What must stay true:
 * - The check changes the flags, so it stands where no flag is needed; where there is no such
 *   place, it saves them.
 * - Nothing jumps into a block. So a block ends at each label that anything but debug information
 *   names, and at calls, jumps and asm statements.
 * - A copy contains no call of the program: copies stand outside of the function's call frame
 *   information for these places and of its table of exceptions, so nothing can be unwound from
 *   inside a copy. An access that itself throws (-fnon-call-exceptions, a signal handler that
 *   throws) ends the program there.
 * - The 128 bytes below the stack pointer (the red zone) keep their values.
 */
#ifndef MEMDB_ACCESS_AS_INSTRUMENT_H
#define MEMDB_ACCESS_AS_INSTRUMENT_H

#include <stdio.h>

#include "text.h"

/* Writes the text t with checks to `out`. Returns false if out of memory. The caller checks `out`
 * for errors. */
bool instrument(const struct text *t, FILE *out);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Puts checks into the assembly text of a compiler, so that the program counts and samples its own
 * accesses.
 *
 * A block is a series of instructions that are only executed together. Two instructions are put
 * before the first access of each block:
 *
 *	subq $N, memdb_soft_far      N: the number of loads and stores in the block
 *	js   copy of the block       taken if the result is negative
 *
 * Nothing else is changed: the program executes the instructions that the compiler chose, with the
 * registers it chose. memdb_soft_far is the number of accesses that need not be reported. The copy
 * is at the end of the function. In it, each access is reported before it is made, with the address
 * of its instruction in the original block. The report is a call to access/as/entry.S. The
 * string instructions movs, stos and lods with a rep prefix are in no block: they are reported each
 * time before they run, because the number of their accesses varies.
 *
 * What must stay true:
 * - The check changes the flags. So it is put where no flag is needed or, if there is no such
 *   place, saves them.
 * - Nothing jumps into a block. So a block ends at each label that anything but debug information
 *   names, and at calls, jumps and asm statements.
 * - A copy can be unwound like its block: it has the same call frame information (as/frame.h) and
 *   the same entry in the table of exceptions (as/region.h).
 * - The 128 bytes below the stack pointer (the red zone) keep their values.
 */
#ifndef MEMDB_ACCESS_AS_INSTRUMENT_H
#define MEMDB_ACCESS_AS_INSTRUMENT_H

#include <stdio.h>

#include "asm_lines.h"

/* Writes the text t with checks to `out`. Returns false if out of memory. The caller checks `out`
 * for errors. */
bool instrument(const struct text *t, FILE *out);

#endif

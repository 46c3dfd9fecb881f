/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Puts checks into the assembly text of a compiler, so that a program counts and samples its own
 * accesses.
 *
 * Before the first access of each block (instructions that are only executed together) stands
 *
 *	subq $N, memdb_soft_far      N: the loads and stores of the block
 *	js   copy of the block
 *
 * and nothing else is changed: the program executes the instructions that the compiler chose, with
 * the registers it chose. memdb_soft_far is how many accesses may pass unseen. In the copy, which
 * stands at the end of the function, each access is reported before it is made, with the address of
 * its instruction in the original block. access/as/entry.S receives these calls.
 *
 * What must stay true:
 * - The check changes the flags, so it stands where no flag is needed; where there is no such
 *place, it saves them.
 * - Nobody jumps into a block. Labels that are named by anything but debug information end it, and
 *   calls, jumps and asm statements do.
 * - Code below the stack pointer keeps its 128 bytes (the red zone).
 */
#ifndef MEMDB_ACCESS_AS_INSTRUMENT_H
#define MEMDB_ACCESS_AS_INSTRUMENT_H

#include <stdio.h>

#include "text.h"

/* Writes the text with checks. Returns false if out of memory. Errors of `out` are left to the
 * caller. */
bool instrument(const struct text *t, FILE *out);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the local variable whose address a function passes to another one. */
#ifndef MEMDB_IMPORT_PASSED_LOCAL_H
#define MEMDB_IMPORT_PASSED_LOCAL_H

#include <stdint.h>

#include "symbol/symbol.h"

struct import;

/*
 * The instruction at the location `insn` computes the address reg + offset; reg is the stack or
 * frame pointer (PERF_REG_*), with its value before the instruction. The call at the location
 * `call` in the same function passes this address. Returns the first record of the variable that
 * certainly contains the address at the call; NULL if there is none. Also returns NULL if another
 * variable that is or has an array ends at this address, or if an array starts one element after
 * it: the address may be meant as the end of that array, or as its element -1.
 */
const struct sym_local *passed_local(struct import *im, uint32_t call, uint32_t insn, int8_t reg,
				     int64_t offset);

#endif

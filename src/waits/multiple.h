/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds a number that divides the value in a register. Before code accesses element i of an array,
 * it multiplies i by the size of an element, with shifts, additions and multiplications. */
#ifndef MEMDB_WAITS_MULTIPLE_H
#define MEMDB_WAITS_MULTIPLE_H

#include "waits/body.h"

/* Returns the greatest common divisor. For 0 and x it is x. */
uint64_t common_divisor(uint64_t a, uint64_t b);

/* Returns the position of one of the instructions that may have run just before k, or BODY_NOWHERE.
 * Also returns BODY_NOWHERE after a call, unless `reg` is a register that the callee preserves, or
 * a word of the stack frame. */
int64_t body_back(struct body *b, uint32_t k, int reg);

/* Instruction k computes a sum of which register `reg` is a part. Returns a number that
 * divides the part of the other register in the sum: 0 if there is no other register, 1 if nothing
 * is known. The constant in the sum is not considered. */
uint64_t rest_multiple(struct body *b, uint32_t k, int reg);

/* Instruction k computes a sum of which register `reg` is a part. Returns a number that divides
 * this part. If the number is above 1, the register is an index and contains no pointer. */
uint64_t part_multiple(struct body *b, uint32_t k, int reg);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The unwind rule of an ordinary frame in one word, together with the address to which it belongs:
 * the CFA is sp or fp plus a constant, and the frame pointer is kept, lost, or saved near the CFA.
 *
 * Bits from 0 on: the constant / 8, the place of the frame pointer / 8, whether the CFA starts at
 * fp, the address without its low QUICK_LOW_BITS bits. Words are in tables whose index depends on
 * at least these low bits, so that index and word give the whole address. 0 is not a rule.
 */
#ifndef MEMDB_PRELOAD_STACK_QUICK_H
#define MEMDB_PRELOAD_STACK_QUICK_H

#include "cfi.h"
#include "machine.h"

#include <stdbool.h>
#include <stdint.h>

enum {
	QUICK_OFF_BITS = 14,
	QUICK_FP_BITS = 8,
	QUICK_RULE_BITS = QUICK_OFF_BITS + QUICK_FP_BITS + 1,
	QUICK_LOW_BITS = 7,
	QUICK_TAG_SHIFT = 64 - (ADDRESS_BITS - QUICK_LOW_BITS),
	/* values of the place of fp; all others are a distance from the frame's CFA in units of 8
	 * bytes */
	FP_KEPT = -128,
	FP_LOST = -127,
};

_Static_assert(QUICK_RULE_BITS <= QUICK_TAG_SHIFT, "a rule and its address fit one word");

/* Returns the word of this rule; 0 if the frame is not ordinary. */
static inline uint64_t quick_make(uint64_t pc, struct cfi_rule rule)
{
	int fp = rule.fp == CFI_KEPT ? FP_KEPT : rule.fp == CFI_LOST ? FP_LOST : rule.fp;

	if (rule.kind != CFI_FRAME || rule.deref || rule.signal || rule.ra_at_base ||
	    rule.regs_at_base || rule.base == CFI_AUX || rule.off <= 0 || rule.off % 8 ||
	    rule.off >> 3 >> QUICK_OFF_BITS || fp != (int8_t)fp || rule.fp == FP_KEPT ||
	    rule.fp == FP_LOST || pc >> ADDRESS_BITS)
		return 0;
	return (uint64_t)rule.off / 8 | (uint64_t)(uint8_t)fp << QUICK_OFF_BITS |
	       (uint64_t)(rule.base == CFI_FP) << (QUICK_OFF_BITS + QUICK_FP_BITS) |
	       pc >> QUICK_LOW_BITS << QUICK_TAG_SHIFT;
}

static inline uint64_t quick_off(uint64_t quick)
{
	return (quick & ((1u << QUICK_OFF_BITS) - 1)) * 8;
}

static inline int quick_fp(uint64_t quick)
{
	return (int8_t)(quick >> QUICK_OFF_BITS);
}

static inline bool quick_starts_at_fp(uint64_t quick)
{
	return quick >> (QUICK_OFF_BITS + QUICK_FP_BITS) & 1;
}

static inline bool quick_is_of(uint64_t quick, uint64_t pc)
{
	return quick >> QUICK_TAG_SHIFT == pc >> QUICK_LOW_BITS;
}

#endif

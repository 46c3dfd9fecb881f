/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the registers that contain an address which the function got from its caller in a block of
 * addresses. gcc makes each parallel region a function of its own, whose only argument points to
 * such a block: it has the addresses of the variables that the region shares with the function
 * around it. Works only for x86-64, like all of waits/.
 */
#ifndef MEMDB_WAITS_PASSED_H
#define MEMDB_WAITS_PASSED_H

#include "decode/decode.h"

enum { PASSED_REGISTERS = 16 };

struct passed_register {
	int8_t reg;   /* PERF_REG_* */
	int64_t word; /* offset of the address in the block, bytes */
};

/* Finds the registers that certainly contain such an address before the instruction at byte `at`
 * runs, on whichever way the function has come there. code[0..len) begins with the function. Stores
 * them in out[] and their number in *n; 0 if not all of the code can be decoded,
 * or if a conditional jump leads out of it, because then code may jump back from elsewhere.
 * The
 * function must not go on after an exception (symbol/landing.h), because its way is not in the
 * code. Each call decodes the function. Returns 0 or MD_ENOMEM. */
int passed_registers(struct decoder *d, const uint8_t *code, size_t len, size_t at,
		     struct passed_register out[PASSED_REGISTERS], unsigned *n);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the origin of the pointer by which an instruction accesses memory: the registers that held
 * it before, and the loads that brought it there. x86-64 only, as is all data flow.
 *
 * In optimized code, the register of an access is seldom a variable itself. It is a copy of one, or
 * was loaded from a member of an object that a variable points at. So the search goes back from the
 * access, along one way.
 */
#ifndef MEMDB_WAITS_POINTER_H
#define MEMDB_WAITS_POINTER_H

#include "decode/decode.h"

enum { POINTER_LOADS = 4, POINTER_HOPS = 48 };

/* A register that, before an instruction, holds the pointer or another pointer from which `depth`
 * loads lead to it. */
struct pointer_hop {
	uint32_t insn; /* bytes from the start of the function */
	int8_t reg;    /* PERF_REG_* */
	uint8_t depth;
	int64_t loads[POINTER_LOADS]; /* displacements of the loads, the one nearest to the
				       * access first */
};

struct pointer_trace {
	struct pointer_hop hops[POINTER_HOPS]; /* on each way, the nearest to the access first */
	unsigned n;
	int64_t disp; /* displacement of the access itself */
};

/* Traces the access of the instruction that lies `at` bytes into code[0..len), a function from its
 * start. hops is empty if the access has no base register, the function is larger than 512 KiB, or
 * its bytes do not decode up to there. Returns 0 or MD_ENOMEM. Costs a pass over the function. */
int pointer_trace(struct decoder *d, const uint8_t *code, size_t len, size_t at,
		  struct pointer_trace *out);

#endif

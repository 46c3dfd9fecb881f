/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the pointer comes from by which an instruction accesses memory: the registers that held it
 * before, and the loads that brought it there. x86-64 only, as is all data flow.
 *
 * In optimized code the register of an access is seldom a variable by itself: it is a copy of one,
 * or what was loaded from a member that one points at. So the search goes back from the access,
 * along one way.
 */
#ifndef MEMDB_WAITS_POINTER_H
#define MEMDB_WAITS_POINTER_H

#include "decode/decode.h"

enum { POINTER_LOADS = 4, POINTER_HOPS = 48 };

/* A register that may hold the pointer before an instruction: itself, or a pointer from which
 * `depth` loads lead to it. */
struct pointer_hop {
	uint32_t insn; /* bytes from the start of the function */
	int8_t reg;    /* PERF_REG_* */
	uint8_t depth;
	int64_t loads[POINTER_LOADS]; /* their displacements, the one nearest to the access first */
};

struct pointer_trace {
	struct pointer_hop hops[POINTER_HOPS]; /* on each way, the nearest to the access first */
	unsigned n;
	int64_t disp; /* of the access itself */
};

/*
 * The trace for the access of the instruction that lies `at` bytes into code[0..len), a function
 * from its start. hops is empty if the access has no base register, or the function does not decode
 * so far. Returns 0 or MD_ENOMEM. Costs a pass over the function.
 */
int pointer_trace(struct decoder *d, const uint8_t *code, size_t len, size_t at,
		  struct pointer_trace *out);

#endif

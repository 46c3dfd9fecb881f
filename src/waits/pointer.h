/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the origin of the pointer through which an instruction accesses memory: the registers that
 * held it before, and the loads that read it from memory. Works only for x86-64, like all of
 * waits/.
 *
 * In optimized code, the register of an access is seldom a variable itself. It is a copy of one, or
 * was loaded from a member of an object to which a variable points. So the search goes back from
 * the access along one sequence of instructions, and follows the pointer through copies and loads.
 */
#ifndef MEMDB_WAITS_POINTER_H
#define MEMDB_WAITS_POINTER_H

#include "decode/decode.h"

enum {
	POINTER_LOADS = 4,
	POINTER_HOPS = 48,
	/* maximum number of instructions and jumps that all searches of one trace examine together,
	 * so that code with very many loops does not stall an import */
	POINTER_WORK = 1 << 18,
};

/* A step of the trace: just before the instruction `insn`, register `reg` contains the pointer of
 * the access (depth 0), or a pointer from which `depth` loads lead to that pointer. */
struct pointer_hop {
	uint32_t insn; /* offset of the instruction from the start of the function, bytes */
	int8_t reg;    /* PERF_REG_* */
	/* whether the pointer is not in the register, but in the word of the stack frame at
	 * register + `slot`; the register is then the stack or frame pointer */
	bool in_slot;
	int64_t slot;
	uint8_t depth;
	/* displacements of the loads, the load nearest to the access first */
	int64_t loads[POINTER_LOADS];
	/* The accessed address is the pointer + add + trace.disp + some multiple of `step`, because
	 * an index or a loop may advance the pointer. Step 0 means that the address is exactly this
	 * sum, step 1 that its distance from the sum is unknown. */
	int64_t add;
	uint64_t step;
};

struct pointer_trace {
	/* in the order in which they were found: on each branch of the search, the hop nearest to
	 * the access comes first */
	struct pointer_hop hops[POINTER_HOPS];
	unsigned n;
	int64_t disp; /* displacement in the operand of the access itself */
	/* number of instructions and jumps that the searches have examined. The searches end when
	 * this number reaches POINTER_WORK */
	uint32_t work;
};

/* Traces the pointer of the access that the instruction at byte `at` makes. code[0..len) begins
 * with the function. out->hops is empty if the access has no base register or only the stack
 * pointer, if the function is larger than 512 KiB, or if the code cannot be decoded from its start
 * to `at`. Each call decodes the function. Returns 0 or MD_ENOMEM. */
int pointer_trace(struct decoder *d, const uint8_t *code, size_t len, size_t at,
		  struct pointer_trace *out);

#endif

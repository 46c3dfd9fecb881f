/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One instruction of either architecture: its memory access, the registers that it reads and
 * writes, and where execution continues.
 */
#ifndef MEMDB_DECODE_INSN_H
#define MEMDB_DECODE_INSN_H

#include "decode/decode.h"

enum insn_flow {
	FLOW_ON,       /* the next instruction follows */
	FLOW_JUMP,     /* execution continues at `target` */
	FLOW_BRANCH,   /* execution continues at `target` or with the next instruction */
	FLOW_INDIRECT, /* a jump to an address that is in a register or in a table */
	FLOW_CALL,
	/* a return, a trap or a tail call: the instruction that follows in memory does not run
	 * next */
	FLOW_AWAY,
};

enum insn_access {
	ACCESS_NONE,
	ACCESS_ADDRESS, /* the address is `mem` */
	ACCESS_SEGMENT, /* the address is relative to gs; in a string instruction also to fs */
	/* a gather or scatter (mem.elements), or an access of SVE, of which `mem` says nothing */
	ACCESS_VECTOR,
	ACCESS_OPAQUE, /* the address is not a base plus an index plus a displacement, or is unknown
			* to the decoder */
};

/* Instructions with which threads wait for each other or for the kernel. */
enum insn_sync {
	SYNC_NONE,
	/* mfence, lfence, sfence; dmb, dsb, isb; on x86-64 also an atomic operation on the thread's
	 * own stack, because compilers use it as a fence */
	SYNC_FENCE,
	SYNC_ATOMIC, /* an atomic read-modify-write of memory */
	SYNC_PAUSE,  /* pause, yield, wfe */
	SYNC_SYSTEM, /* a system call: syscall, svc */
};

/* Kinds of arithmetic, distinguished by the time from operands to result. An operation takes the
 * same time on vectors and on scalars. */
enum insn_math {
	MATH_SIMPLE, /* moves, logic, integer additions */
	MATH_ADD,    /* floating point: add, subtract, minimum, maximum */
	MATH_MULTIPLY,
	MATH_FUSED, /* multiply and add */
	MATH_DIVIDE,
	MATH_ROOT,
};

/* The address of an operand, computed from the registers as they are before the instruction. */
struct insn_mem {
	bool load, store, lock;
	uint8_t bytes; /* size of the access, or of each of its elements; 0 means unknown */
	/* of a gather or scatter: number of elements. Each has an address of its own: `index` is
	 * the vector register with their indices, INSN_VECTOR or more. Otherwise 0 */
	uint8_t elements;
	int8_t base, index;   /* -1 means none */
	uint8_t scale;        /* factor of the index */
	uint8_t extend;       /* a value of enum dec_extend: which part of the index register is
			       * used */
	bool ip_relative;     /* disp is relative to the start of the instruction */
	bool thread_relative; /* whether the address is relative to fs, the thread pointer */
	bool wraps32;
	int64_t disp;
};

/* Returns the number of addresses that the operand has: those of its elements, otherwise 1. */
static inline uint8_t insn_addresses(const struct insn_mem *m)
{
	return m->elements ? m->elements : 1;
}

/* Describes a register whose value after the instruction is known: register `to` then has the value
 * that register `from` had before, plus `add`; `to` is -1 if there is no such register. If an
 * instruction changes a register by a constant (push, post-index, add), `to` and `from` are that
 * register. Of a vector register, the lowest 64 bits are meant. */
struct insn_move {
	int8_t to, from;
	bool wraps32; /* the lower halves of `from` and `add` are added, and the upper half of
		       * `to` becomes 0 */
	int64_t add;
};

/* Describes a general register `to` that the instruction sets to times[0] * from[0] + times[1] *
 * from[1] + a constant. from[] are general registers, with their values before the instruction; -1
 * means that the term is absent. A 32-bit sum sets the upper half of `to` to 0 or to copies of the
 * sign bit. */
struct insn_sum {
	int8_t to, from[2]; /* `to` is -1 if the instruction is not known to compute a sum */
	uint32_t times[2];
};

/* Describes a general register `to` that the instruction sets to the same value whenever it runs,
 * as mov $8,%eax, xor %eax,%eax and lea 8(%rip),%rax do; `to` is -1 if there is no such register.
 * If ip_relative is set, `value` is relative to the start of the instruction. */
struct insn_constant {
	int8_t to; /* PERF_REG_* */
	bool ip_relative;
	int64_t value;
};

/* Describes the comparison by which an instruction sets the flags: general register `reg` minus
 * register `with`, or minus `value` if `with` is -1. `reg` is -1 if the instruction is not known to
 * compare. A test of a register with itself compares it with 0, and so does an instruction that
 * adds a constant to it: then `reg` has its value after the instruction. */
struct insn_compare {
	int8_t reg, with; /* PERF_REG_* */
	bool wraps32;     /* whether only the lower 32 bits are compared */
	int64_t value;
};

/* Registers are numbered as in PERF_REG_*. On x86-64 there are further numbers, for registers that
 * are never a part of an address, but through which values flow from one instruction to another.
 * All x87 and MMX registers share one number. On AArch64, only general registers have numbers. */
enum { INSN_X87 = 10, INSN_MASK = 24, INSN_VECTOR = 32 };

/* How the result of an instruction changes from one iteration of a loop to the next, if the
 * instruction computes in general registers and each operand grows by a constant in each iteration.
 * The upper bits of the result may be lost; then the result wraps around to 0 now and then. */
enum insn_growth {
	GROWTH_UNKNOWN,
	/* the result grows as its register operand does: mov, extending moves, `and` with a mask */
	GROWTH_KEPT,
	/* the result grows by a constant, but not necessarily as an operand does: add, sub, lea,
	 * shl */
	GROWTH_FIXED,
	/* the result grows by a constant if one of its two factors grows and the other stays the
	 * same: imul */
	GROWTH_PRODUCT,
};

struct insn {
	uint8_t size;   /* size in bytes, never 0 */
	uint8_t flow;   /* a value of enum insn_flow */
	uint8_t access; /* a value of enum insn_access */
	struct insn_mem mem;
	/* it is uncertain whether the instruction accesses memory: a string instruction (rep may
	 * run it zero times), a memory copy of AArch64 (perhaps of zero bytes), an instruction of
	 * SME, an unknown instruction */
	bool conditional;
	bool repeats; /* a string instruction with rep; x86-64 only */
	bool moves;   /* a string instruction that stores what it loads: rep movs, from (rsi) to
		       * (rdi) */
	/* mask of registers that the instruction certainly reads. Some may be missing, unless
	 * `plain` is true */
	uint64_t reads;
	/* mask of all registers that the instruction may change */
	uint64_t writes;
	struct insn_move move;
	struct insn_sum sum;           /* x86-64 only */
	struct insn_constant constant; /* x86-64 only */
	struct insn_compare compare;   /* x86-64 only */
	/* for a 64-bit mov to or from memory, the general register; otherwise -1. x86-64 only */
	int8_t copies;
	uint8_t sync;   /* a value of enum insn_sync */
	uint8_t math;   /* a value of enum insn_math; x86-64 only */
	uint8_t growth; /* a value of enum insn_growth; x86-64 only */
	/* largest value that the instruction can write to a general register, if its code shows
	 * this limit (and $1023,%eax; movzbl; shr $54,%rax); 0 means unknown. x86-64 only */
	uint32_t most;
	/* the instruction is a move, a load, a store, a comparison, simple integer arithmetic, a
	 * nop or a fence, and `reads` is complete. A spin loop without a pause consists of such
	 * instructions and jumps. x86-64 only */
	bool plain;
};

/* The part of struct insn that the pass over a function (outline.h) needs: where the instruction
 * ends, and where it jumps. */
struct insn_step {
	uint8_t size;   /* bytes; if the instruction cannot be decoded, 1 (x86) or 4 (AArch64) */
	bool known;     /* whether the bytes are an instruction that the decoder knows */
	uint8_t flow;   /* a value of enum insn_flow */
	int64_t target; /* for FLOW_JUMP, FLOW_BRANCH and direct calls: where execution
			 * continues, in bytes from the start of the instruction; otherwise 0 */
};

/* Both functions decode the instruction at the start of code[0..len), where len > 0. decoder_step()
 * is fast and finds only what struct insn_step contains. decoder_insn() finds everything, and
 * returns false if the bytes cannot be decoded. */
void decoder_step(struct decoder *d, const uint8_t *code, size_t len, struct insn_step *out);
bool decoder_insn(struct decoder *d, const uint8_t *code, size_t len, struct insn *out);

void arm64_step(const uint8_t *code, size_t len, struct insn_step *out);
bool arm64_decode(const uint8_t *code, size_t len, struct insn *out);
bool arm64_ends_in_call(const uint8_t *code, size_t len); /* see decoder_ends_in_call() */

#endif

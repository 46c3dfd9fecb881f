/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One instruction of either architecture: its memory access, the registers that it reads and
 * writes, and where it continues.
 */
#ifndef MEMDB_DECODE_INSN_H
#define MEMDB_DECODE_INSN_H

#include "decode/decode.h"

enum insn_flow {
	FLOW_ON,       /* continues with the next instruction */
	FLOW_JUMP,     /* always continues at `target` */
	FLOW_BRANCH,   /* continues at `target` or with the next instruction */
	FLOW_INDIRECT, /* a jump to an address from a register or a table */
	FLOW_CALL,
	FLOW_AWAY, /* return or trap: the next instruction does not run after it */
};

enum insn_access {
	ACCESS_NONE,
	ACCESS_ADDRESS, /* `mem` is the address */
	ACCESS_SEGMENT, /* relative to gs, or to fs in a string instruction */
	ACCESS_VECTOR,  /* one address per element */
	ACCESS_OPAQUE,  /* registers are not enough to compute the address */
};

/* Instructions with which threads wait for each other. */
enum insn_sync {
	SYNC_NONE,
	SYNC_FENCE,  /* mfence, dmb; an atomic operation on a stack word */
	SYNC_ATOMIC, /* an atomic read-modify-write of memory */
	SYNC_PAUSE,  /* pause, yield, wfe */
};

/* The address of an operand, computed from the registers before the instruction. */
struct insn_mem {
	bool load, store, lock;
	uint8_t bytes;        /* 0 means unknown */
	int8_t base, index;   /* -1: none */
	uint8_t scale;        /* of the index */
	uint8_t extend;       /* enum dec_extend of the index */
	bool ip_relative;     /* disp is relative to the start of the instruction */
	bool thread_relative; /* the address is relative to fs */
	bool wraps32;
	int64_t disp;
};

/* After the instruction, `to` holds the value that `from` had before, plus `add`; to is -1 if there
 * is no such register. If a register changes by a constant (push, post-index, add), to == from. */
struct insn_move {
	int8_t to, from;
	bool wraps32; /* only the lower halves are added; the upper half of `to` becomes 0 */
	int64_t add;
};

/* Registers are numbered as PERF_REG_*. On x86-64, numbers of registers that never hold an address
 * are added, for the data flow. All x87 and MMX registers count as one. AArch64 has general
 * registers only. */
enum { INSN_X87 = 10, INSN_MASK = 24, INSN_VECTOR = 32 };

struct insn {
	uint8_t size;   /* bytes; never 0 */
	uint8_t flow;   /* enum insn_flow */
	uint8_t access; /* enum insn_access */
	struct insn_mem mem;
	/*
	 * the access may not happen: a string instruction with rep, a copy, an unknown instruction
	 */
	bool conditional;
	uint64_t reads; /* bit mask of registers that the instruction certainly reads; incomplete
			 * on AArch64 */
	/* bit mask of all registers that the instruction may change */
	uint64_t writes;
	struct insn_move move;
	int8_t copies; /* general register that a 64-bit mov copies from or to memory; -1 means
			* another instruction. x86-64 only */
	uint8_t sync;  /* enum insn_sync */
	bool plain;    /* moves, compares or computes in general registers only, and `reads` is
			* complete: loops that wait for a flag consist of such instructions */
};

/* One step of the pass over a function: only boundaries of instructions, and jumps. */
struct insn_step {
	uint8_t size;   /* bytes; if the bytes do not decode, 1 (x86) or 4 (AArch64) */
	bool known;     /* the bytes decode */
	uint8_t flow;   /* enum insn_flow */
	int64_t target; /* for FLOW_JUMP and FLOW_BRANCH: bytes from the start of the instruction */
};

/* Decode the instruction at code[0..len), len > 0. decoder_insn() returns false if the bytes do not
 * decode. */
void decoder_step(struct decoder *d, const uint8_t *code, size_t len, struct insn_step *out);
bool decoder_insn(struct decoder *d, const uint8_t *code, size_t len, struct insn *out);

void arm64_step(const uint8_t *code, size_t len, struct insn_step *out);
bool arm64_decode(const uint8_t *code, size_t len, struct insn *out);

#endif

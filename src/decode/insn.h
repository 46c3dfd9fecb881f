/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One instruction, of either architecture: what it accesses, reads, writes, and where it goes. */
#ifndef MEMDB_DECODE_INSN_H
#define MEMDB_DECODE_INSN_H

#include "decode/decode.h"

enum insn_flow {
	FLOW_ON,       /* goes on with the instruction behind it */
	FLOW_JUMP,     /* always to a place inside the code that `target` names */
	FLOW_BRANCH,   /* perhaps there, perhaps on */
	FLOW_INDIRECT, /* a jump to where a register or a table says */
	FLOW_CALL,
	FLOW_AWAY, /* return, trap: does not come back here */
};

enum insn_access {
	ACCESS_NONE,
	ACCESS_ADDRESS, /* `mem` is the address */
	ACCESS_SEGMENT, /* relative to gs, or by a string instruction to fs */
	ACCESS_VECTOR,  /* one address per element */
	ACCESS_OPAQUE,  /* registers alone do not give the address */
};

/* Instructions with which threads wait for each other. */
enum insn_sync {
	SYNC_NONE,
	SYNC_FENCE,  /* mfence, dmb; an atomic operation on the own stack, which is one */
	SYNC_ATOMIC, /* reads and writes memory at once */
	SYNC_PAUSE,  /* pause, yield, wfe */
};

/* An operand's address, by the registers as they are before the instruction runs. */
struct insn_mem {
	bool load, store, lock;
	uint8_t bytes;        /* 0 unknown */
	int8_t base, index;   /* -1 none */
	uint8_t scale;        /* of the index */
	uint8_t extend;       /* enum dec_extend, of the index */
	bool ip_relative;     /* disp is counted from the start of the instruction */
	bool thread_relative; /* what it says is counted from fs */
	bool wraps32;
	int64_t disp;
};

/* `to` holds afterwards what `from` held before, plus `add`; to is -1 where there is no such
 * register. A register that moves itself (push, post-index, add) has to == from. */
struct insn_move {
	int8_t to, from;
	bool wraps32; /* of the lower halves: the upper half of `to` is 0 afterwards */
	int64_t add;
};

/* Registers have the numbers PERF_REG_*. On x86-64 those of no address follow, for what flows
 * through them; of the x87 stack and MMX all are one. AArch64 has general registers only. */
enum { INSN_X87 = 10, INSN_MASK = 24, INSN_VECTOR = 32 };

struct insn {
	uint8_t size;   /* bytes; never 0 */
	uint8_t flow;   /* enum insn_flow */
	uint8_t access; /* enum insn_access */
	struct insn_mem mem;
	bool conditional; /* the access may not happen: a string instruction with rep, a copy, an
			     instruction that is not known */
	uint64_t reads;   /* bits of registers that it surely reads; AArch64: not all of them */
	uint64_t writes;  /* bits of registers that it may change: too many rather than too few */
	struct insn_move move;
	int8_t copies; /* the general register that mov copies whole from or to its operand in
			  memory; -1: another instruction. x86-64 */
	uint8_t sync;  /* enum insn_sync */
	bool plain;    /* moves, compares or computes in general registers, and `reads` has all of
			  these: what a loop that waits for a flag is made of */
};

/* One step of the sweep over a function: only boundaries and jumps. */
struct insn_step {
	uint8_t size;   /* bytes; 1 (x86) or 4 (AArch64) where the bytes do not decode */
	bool known;     /* the bytes decode */
	uint8_t flow;   /* enum insn_flow */
	int64_t target; /* of FLOW_JUMP, FLOW_BRANCH: bytes from the start of the instruction */
};

/* Both read only code[0..len), len > 0; decoder_insn() is false where the bytes do not decode. */
void decoder_step(struct decoder *d, const uint8_t *code, size_t len, struct insn_step *out);
bool decoder_insn(struct decoder *d, const uint8_t *code, size_t len, struct insn *out);

void arm64_step(const uint8_t *code, size_t len, struct insn_step *out);
bool arm64_decode(const uint8_t *code, size_t len, struct insn *out);

#endif

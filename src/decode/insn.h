/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside decode/: what the rule needs to know of one instruction, of either architecture. */
#ifndef MEMDB_DECODE_INSN_H
#define MEMDB_DECODE_INSN_H

#include <capstone/capstone.h>

#include "decode/decode.h"

enum insn_flow {
	FLOW_ON,       /* goes on with the instruction behind it */
	FLOW_JUMP,     /* conditional or not, to a place inside the code that `target` names */
	FLOW_INDIRECT, /* a jump to where a register or a table says */
	FLOW_CALL,
	FLOW_AWAY, /* return, trap: does not come back here */
};

enum insn_access {
	ACCESS_NONE,
	ACCESS_ADDRESS, /* `mem` is the address */
	ACCESS_SEGMENT, /* relative to fs or gs */
	ACCESS_VECTOR,  /* one address per element */
	ACCESS_OPAQUE,  /* registers alone do not give the address */
};

/* An operand's address, by the registers as they are before the instruction runs. */
struct insn_mem {
	bool load, store, lock;
	uint8_t bytes;      /* 0 unknown */
	int8_t base, index; /* -1 none */
	uint8_t scale;      /* of the index */
	uint8_t extend;     /* enum dec_extend, of the index */
	bool ip_relative;   /* disp is counted from the start of the instruction */
	bool wraps32;
	int64_t disp;
};

/* `to` holds afterwards what `from` held before, plus `add`; to is -1 where there is no such
 * register. A register that moves itself (push, post-index, add) has to == from. */
struct insn_move {
	int8_t to, from;
	int64_t add;
};

struct insn {
	uint8_t size;   /* bytes; never 0 */
	uint8_t flow;   /* enum insn_flow */
	uint8_t access; /* enum insn_access */
	struct insn_mem mem;
	bool conditional; /* the access may not happen: a string instruction with rep, a copy, an
			     instruction that is not known */
	uint64_t reads;   /* bits of registers that it surely reads */
	uint64_t writes;  /* bits of registers that it may change: too many rather than too few */
	struct insn_move move;
};

/* One step of the sweep over a function: only boundaries and jumps. */
struct insn_step {
	uint8_t size;   /* bytes; 1 (x86) or 4 (AArch64) where the bytes do not decode */
	bool known;     /* the bytes decode */
	uint8_t flow;   /* FLOW_JUMP, FLOW_INDIRECT or anything else */
	int64_t target; /* of FLOW_JUMP: bytes from the start of the instruction */
};

struct x86 {
	csh fast; /* without details: boundaries */
	csh detailed;
	cs_insn *fast_insn, *insn;
};

/* 0, or MD_ENOTSUP or MD_ENOMEM with nothing left open. */
int x86_open(struct x86 *x, struct md_err *err);
void x86_close(struct x86 *x);

/* Both read only code[0..len), len > 0; x86_decode() is false where the bytes do not decode. */
void x86_step(struct x86 *x, const uint8_t *code, size_t len, struct insn_step *out);
bool x86_decode(struct x86 *x, const uint8_t *code, size_t len, struct insn *out);

/* The length of an instruction of an encoding whose length does not depend on its meaning (VEX,
 * EVEX, three-byte opcodes), 0 for all others: for extensions that Capstone does not know yet.
 * *vector: it is a gather or scatter. */
size_t x86_length(const uint8_t *code, size_t len, bool *vector);

void arm64_step(const uint8_t *code, size_t len, struct insn_step *out);
bool arm64_decode(const uint8_t *code, size_t len, struct insn *out);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decodes x86-64 with Capstone; private to decode/. */
#ifndef MEMDB_DECODE_X86_H
#define MEMDB_DECODE_X86_H

#include <capstone/capstone.h>

#include "decode/insn.h"

struct x86 {
	/* a Capstone handle that reports no operands; it is faster, and finds where instructions
	 * begin */
	csh fast;
	csh detailed;
	cs_insn *fast_insn, *insn;
};

/* Returns 0, or MD_ENOTSUP or MD_ENOMEM with nothing left open. */
int x86_open(struct x86 *x, struct md_err *err);
void x86_close(struct x86 *x);

/* See decoder_step() and decoder_insn(). */
void x86_step(struct x86 *x, const uint8_t *code, size_t len, struct insn_step *out);
bool x86_decode(struct x86 *x, const uint8_t *code, size_t len, struct insn *out);

/* See decoder_ends_in_call(). */
bool x86_ends_in_call(const uint8_t *code, size_t len);

/* Returns the length of an instruction in one of the encodings that new instructions use: VEX,
 * EVEX, three-byte opcodes, and those two-byte opcodes that stand for several system instructions
 * or hints. Returns 0 for other encodings, and if code[0..len) does not contain the entire
 * instruction. Needed for instructions that are too new for Capstone. Sets *vector to whether the
 * instruction is a gather or scatter. */
size_t x86_length(const uint8_t *code, size_t len, bool *vector);

#endif

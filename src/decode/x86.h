/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decodes x86-64 with Capstone; private to decode/. */
#ifndef MEMDB_DECODE_X86_H
#define MEMDB_DECODE_X86_H

#include <capstone/capstone.h>

#include "decode/insn.h"

struct x86 {
	csh capstone;
	cs_insn *insn;
};

/* Returns 0, or MD_ENOTSUP or MD_ENOMEM with nothing left open. */
int x86_open(struct x86 *x, struct md_err *err);
void x86_close(struct x86 *x);

/* See decoder_step() and decoder_insn(). */
void x86_step(const uint8_t *code, size_t len, struct insn_step *out);
bool x86_decode(struct x86 *x, const uint8_t *code, size_t len, struct insn *out);

/* See decoder_ends_in_call(). */
bool x86_ends_in_call(const uint8_t *code, size_t len);

/* Returns the length of the instruction at code; 0 if these bytes are no instruction in 64-bit
 * mode, or if code[0..len) does not contain all of it. Whether the CPU accepts the operands is not
 * checked. Knows instructions that are too new for Capstone. */
size_t x86_length(const uint8_t *code, size_t len);

#endif

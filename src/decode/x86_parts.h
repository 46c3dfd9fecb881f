/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside decode/: parts of the x86-64 decoder. */
#ifndef MEMDB_DECODE_X86_PARTS_H
#define MEMDB_DECODE_X86_PARTS_H

#include "decode/x86.h"

/* The bytes of legacy prefixes and REX before the opcode; size if there is nothing else. */
size_t x86_prefixes(const uint8_t *p, size_t size);

/* Where the size bytes at p, one instruction, go; target as in struct insn_step. */
enum insn_flow x86_flow(const uint8_t *p, size_t size, int64_t *target);

/* Prefetches, nops and their like, by opcode: their names differ between Capstone's versions. */
bool x86_is_hint(const uint8_t *p, size_t size);

enum { X86_FS = 0x64, X86_GS = 0x65 };

/* Which of them, or 0, by the prefixes: of several Capstone takes the last, the CPU the last fs or
 * gs. */
uint8_t x86_segment(const uint8_t *p, size_t size);

/* Corrects what Capstone says of the operand op of an EVEX instruction (any other is left alone):
 * out->mem.bytes where it is not certain, and the access where its displacement is not. */
void x86_check_evex(const cs_insn *i, const cs_x86_op *op, struct insn *out);

/* Adds the registers of no address (vectors, masks, x87) that i reads and writes. */
void x86_find_flow(const cs_insn *i, struct insn *out);

/* Its result does not depend on its operands: xor %eax,%eax. */
bool x86_is_zero_idiom(const cs_insn *i);

/* What threads wait for each other with, and what a loop that spins is made of: sync and plain. */
void x86_find_sync(const cs_insn *i, struct insn *out);

#endif

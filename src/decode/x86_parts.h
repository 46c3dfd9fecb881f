/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside decode/: parts of the x86-64 decoder. */
#ifndef MEMDB_DECODE_X86_PARTS_H
#define MEMDB_DECODE_X86_PARTS_H

#include "decode/x86.h"

/* Number of bytes of legacy prefixes and REX before the opcode; size if there is nothing else. */
size_t x86_prefixes(const uint8_t *p, size_t size);

/* Where the instruction at p, of size bytes, continues; target as in struct insn_step. */
enum insn_flow x86_flow(const uint8_t *p, size_t size, int64_t *target);

/* Recognizes prefetches, nops and similar hints by opcode, because their names differ between
 * Capstone's versions. */
bool x86_is_hint(const uint8_t *p, size_t size);

enum { X86_FS = 0x64, X86_GS = 0x65 };

/* The segment prefix in effect, or 0. If there are several, Capstone takes the last, the CPU the
 * last fs or gs. */
uint8_t x86_segment(const uint8_t *p, size_t size);

/* Corrects Capstone's result for operand op of an EVEX instruction; leaves others alone. Clears
 * out->mem.bytes if the size is uncertain, and the access if its displacement is. */
void x86_check_evex(const cs_insn *i, const cs_x86_op *op, struct insn *out);

/* Adds the registers read and written that never hold an address (vectors, masks, x87). */
void x86_find_flow(const cs_insn *i, struct insn *out);

/* Is the result independent of the operands, as in xor %eax,%eax? */
bool x86_is_zero_idiom(const cs_insn *i);

/* Sets `sync` and `plain`: instructions with which threads wait for each other, and those of which
 * spin loops consist. */
void x86_find_sync(const cs_insn *i, struct insn *out);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Private to decode/: parts of the x86-64 decoder. */
#ifndef MEMDB_DECODE_X86_PARTS_H
#define MEMDB_DECODE_X86_PARTS_H

#include "decode/x86.h"

/* Returns the number of bytes of legacy prefixes and REX before the opcode; size if there is no
 * opcode. */
size_t x86_prefixes(const uint8_t *p, size_t size);

/* Returns where the instruction at p, of size bytes, continues. *target is as in struct insn_step,
 * and only set for jumps and branches. */
enum insn_flow x86_flow(const uint8_t *p, size_t size, int64_t *target);

/* Is this a prefetch, nop or similar hint? Decides by the opcode, because the names differ between
 * Capstone's versions. */
bool x86_is_hint(const uint8_t *p, size_t size);

enum { X86_FS = 0x64, X86_GS = 0x65 };

/* Returns the segment prefix fs or gs that is in effect, or 0. If there are several, the CPU uses
 * the last fs or gs, but Capstone the last prefix of any segment. */
uint8_t x86_segment(const uint8_t *p, size_t size);

/* Corrects Capstone's result for operand op of an EVEX instruction; does nothing for others. Sets
 * out->mem.bytes to 0 if the size is uncertain, and the access to ACCESS_OPAQUE if the displacement
 * is. */
void x86_check_evex(const cs_insn *i, const cs_x86_op *op, struct insn *out);

/* Adds the registers that are read and written and never hold an address (vectors, masks, x87). */
void x86_find_flow(const cs_insn *i, struct insn *out);

/* Is the result independent of the operands, as in xor %eax,%eax? */
bool x86_is_zero_idiom(const cs_insn *i);

/* Sets `sync` (instructions with which threads wait for each other) and `plain` (instructions of
 * spin loops). */
void x86_find_sync(const cs_insn *i, struct insn *out);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parts of the x86-64 decoder; private to decode/. */
#ifndef MEMDB_DECODE_X86_PARTS_H
#define MEMDB_DECODE_X86_PARTS_H

#include "decode/x86.h"

/* Returns how many bytes of legacy prefixes and REX are before the opcode; `size` if there is no
 * opcode. */
size_t x86_prefixes(const uint8_t *p, size_t size);

/* Returns where the instruction of `size` bytes at p continues. *target is as in struct
 * insn_step; it is set only for jumps and branches. */
enum insn_flow x86_flow(const uint8_t *p, size_t size, int64_t *target);

/* Is it a prefetch, a nop or a similar hint? It is recognized by its bytes, because its name
 * differs between versions of Capstone. */
bool x86_is_hint(const uint8_t *p, size_t size);

enum { X86_FS = 0x64, X86_GS = 0x65 };

/* Returns the segment prefix fs or gs that is in effect; 0 if there is none. If there are several
 * prefixes, the CPU uses the last one of fs and gs. Capstone is wrong there: it reports the last
 * one of any segment. */
uint8_t x86_segment(const uint8_t *p, size_t size);

/* Corrects what Capstone reports about operand `op` of an EVEX instruction; leaves others as they
 * are. If the size of the access is uncertain, sets out->mem.bytes to 0. If its displacement is
 * uncertain, sets out->access to ACCESS_OPAQUE. */
void x86_check_evex(const cs_insn *i, const cs_x86_op *op, struct insn *out);

/* Adds to out->reads and out->writes the vector, mask and x87 registers, which never contain an
 * address. */
void x86_find_flow(const cs_insn *i, struct insn *out);

/* Does the result not depend on the operands, as in xor %eax,%eax? */
bool x86_is_zero_idiom(const cs_insn *i);

/* Sets out->sync for instructions by which threads wait for each other, and out->plain for those of
 * which spin loops consist. */
void x86_find_sync(const cs_insn *i, struct insn *out);

/* Set `math` and `keeps_step`. Call after the memory operand was found. */
void x86_find_math(const cs_insn *i, struct insn *out);
void x86_find_keeps_step(const cs_insn *i, struct insn *out);

#endif

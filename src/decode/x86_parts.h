/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parts of the x86-64 decoder; private to decode/. */
#ifndef MEMDB_DECODE_X86_PARTS_H
#define MEMDB_DECODE_X86_PARTS_H

#include "decode/x86.h"

/* The bit of a register in a register mask. */
#define BIT(reg) (UINT64_C(1) << (reg))

/* The bits of all vector registers. */
#define ALL_VECTORS (~UINT64_C(0) << INSN_VECTOR)

/* Returns the number of bytes of legacy prefixes and REX before the opcode; `size` if there is no
 * opcode. */
size_t x86_prefixes(const uint8_t *p, size_t size);

/* Returns how execution continues after the instruction of `size` bytes at p. For jumps and
 * branches also sets *target, as in struct insn_step. */
enum insn_flow x86_flow(const uint8_t *p, size_t size, int64_t *target);

/* Is this a prefetch, a nop or a similar hint? Its bytes are compared, because its name differs
 * between versions of Capstone. */
bool x86_is_hint(const uint8_t *p, size_t size);

enum { X86_FS = 0x64, X86_GS = 0x65 };

/* Returns the segment prefix (fs or gs) that is in effect; 0 if there is none. If there are several
 * prefixes, the CPU uses the last one of fs and gs, while Capstone reports the last one of any
 * segment. */
uint8_t x86_segment(const uint8_t *p, size_t size);

/* Corrects in *out what Capstone reports wrongly about memory operand *op of an EVEX instruction;
 * other instructions are unchanged. If the size of the access is uncertain, sets out->mem.bytes to
 * 0. If the displacement of the operand is uncertain, sets out->access to ACCESS_OPAQUE. */
void x86_check_evex(const cs_insn *i, const cs_x86_op *op, struct insn *out);

/* Adds to out->reads and out->writes the vector, mask and x87 registers of the instruction. */
void x86_find_flow(const cs_insn *i, struct insn *out);

/* Is the result the same for any operands, as in xor %eax,%eax? */
bool x86_is_zero_idiom(const cs_insn *i);

/* Sets out->sync for instructions with which threads wait for each other or for the kernel, and
 * out->plain. */
void x86_find_sync(const cs_insn *i, struct insn *out);

/* Returns the PERF_REG_* of a general register of any width; -1 for other registers. */
int x86_general(unsigned reg);

/* If the instruction at code[0..len) is a gather or scatter, or prefetches for one, describes it in
 * *out: size, access, mem, reads and writes. If its operand is unusual, sets no mem.elements.
 * Returns false if it is not one or not complete. */
bool x86_gather(const uint8_t *code, size_t len, struct insn *out);

/* If the instruction at code[0..size), which Capstone does not know, is an AVX-512 instruction
 * without legacy prefixes whose effects are known, describes them in *out: access, mem, reads and
 * writes. */
bool x86_vector_unknown(const uint8_t *code, size_t size, struct insn *out);

/* Returns the number of a vector register, from INSN_VECTOR on; -1 for other registers. */
int x86_vector(unsigned reg);

/* Sets out->sum for additions, multiplications by constants, and moves between general
 * registers. */
void x86_find_sum(const cs_insn *i, struct insn *out);

/* Sets out->constant. */
void x86_find_constant(const cs_insn *i, struct insn *out);

/* Sets out->compare. Must be called after out->move has been set. */
void x86_find_compare(const cs_insn *i, struct insn *out);

/* Set out->math, out->growth and out->most. The memory operand must be in *out already. */
void x86_find_math(const cs_insn *i, struct insn *out);
void x86_find_growth(const cs_insn *i, struct insn *out);
void x86_find_most(const cs_insn *i, struct insn *out);

#endif

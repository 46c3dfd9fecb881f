/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How x86-64 instructions use their operands, by Capstone's X86_INS_*; private to decode/. */
#ifndef MEMDB_DECODE_X86_CLASSES_H
#define MEMDB_DECODE_X86_CLASSES_H

#include <stdbool.h>
#include <stdint.h>

enum x86_class {
	CLASS_WRITES,    /* the default: the first operand is written, all others are read */
	CLASS_READS,     /* the first operand is read and not written, as in cmp, push, fld */
	CLASS_UPDATES,   /* the first operand is read and written, as in add, xadd */
	CLASS_NO_ACCESS, /* the memory operand is not accessed, as in lea, clflush */
};

enum x86_stack { STACK_NONE, STACK_PUSH, STACK_POP, STACK_CALL, STACK_RETURN, STACK_LEAVE };

enum x86_class x86_class(unsigned id);
enum x86_stack x86_stack_use(unsigned id);
/* is it bt, bts, btr or btc? If the bit number is in a register, it may select a bit outside of the
 * operand */
bool x86_is_bit(unsigned id);
/* is it movs, stos or the like, which rep may execute zero times? False for movsd and cmpsd,
 * because SSE instructions have the same names */
bool x86_is_string(unsigned id);
bool x86_bytes_vary(unsigned id); /* does the size of the access vary, as in vmaskmov or xsave? */
/* returns the size of the access in bytes if Capstone reports a wrong one; otherwise 0 */
unsigned x86_bytes(unsigned id);
/* returns the number of operands that are written; they are the first ones */
int x86_written_operands(unsigned id);
/* returns the PERF_REG bits of registers that the instruction writes although they are not
 * operands */
uint64_t x86_hidden_writes(unsigned id);

#endif

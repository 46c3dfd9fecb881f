/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Private to decode/: how x86-64 instructions use their operands, by Capstone's X86_INS_*. */
#ifndef MEMDB_DECODE_X86_CLASSES_H
#define MEMDB_DECODE_X86_CLASSES_H

#include <stdbool.h>
#include <stdint.h>

enum x86_class {
	CLASS_WRITES,    /* default: the first operand is written, all others are read */
	CLASS_READS,     /* the first operand is only read: cmp, push, fld */
	CLASS_UPDATES,   /* the first operand is read and written: add, xadd */
	CLASS_NO_ACCESS, /* lea, clflush: the memory operand is not accessed */
};

enum x86_stack { STACK_NONE, STACK_PUSH, STACK_POP, STACK_CALL, STACK_RETURN, STACK_LEAVE };

enum x86_class x86_class(unsigned id);
enum x86_stack x86_stack_use(unsigned id);
/* bt and similar: a bit number in a register extends the address */
bool x86_is_bit(unsigned id);
bool x86_is_string(unsigned id);  /* movs, stos, …: rep may run them zero times */
bool x86_bytes_vary(unsigned id); /* vmaskmov, xsave: the size of the access varies */
unsigned x86_bytes(unsigned id);  /* size of the access if Capstone is wrong; else 0 */
/* returns the number of operands, counted from the first, that are written */
int x86_written_operands(unsigned id);
uint64_t x86_hidden_writes(unsigned id); /* PERF_REG bits of written registers that no operand
					  * names */

#endif

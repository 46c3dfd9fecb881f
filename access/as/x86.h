/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What one x86-64 instruction, as text of a compiler in AT&T syntax, does to memory, to the flags
 * and to the flow of control. Where the text is not understood, the answer is the safe one: no
 * memory operand, flags neither read nor set.
 */
#ifndef MEMDB_ACCESS_AS_X86_H
#define MEMDB_ACCESS_AS_X86_H

#include <stdbool.h>

enum { X86_TEXT = 256, X86_OPERANDS = 5 };

/* An access of memory. */
struct x86_access {
	char operand[X86_TEXT]; /* for lea: without a segment, mask or broadcast */
	unsigned kind;          /* bits ACCESS_LOAD and ACCESS_STORE */
	unsigned bytes;
	bool thread_local; /* the address is relative to %fs */
};

struct x86 {
	unsigned naccesses;
	struct x86_access access[2];
	/* a string instruction with a rep prefix: each access happens as often as %rcx says */
	bool repeated;
	bool reads_flags;
	bool sets_flags; /* no flag keeps its value */
	/* the next instruction does not always follow, or this one must stay beside its
	 * neighbours */
	bool ends_block;
	bool leaves;           /* the next instruction never follows: jmp, ret, ud2 */
	char target[X86_TEXT]; /* of a direct jump, otherwise "" */
};

/* Parses a statement that is an instruction: neither a label nor a directive. */
void x86_parse(const char *statement, struct x86 *x);

#endif

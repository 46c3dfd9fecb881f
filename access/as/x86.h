/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What an x86-64 instruction does to memory, to the flags and to the flow of control. It is parsed
 * from text that a compiler wrote in AT&T syntax. If the text is not understood, the answer is
 * safe: no access to memory, and flags neither read nor set.
 */
#ifndef MEMDB_ACCESS_AS_X86_H
#define MEMDB_ACCESS_AS_X86_H

#include <stdbool.h>

enum { X86_OPERANDS = 5 };

/* A part of a statement, of any length: symbols of C++ have thousands of characters. Valid as long
 * as the statement. */
struct x86_text {
	const char *at; /* not terminated */
	int n;
};

struct x86_access {
	struct x86_text operand; /* its address as lea takes it: no segment, mask or broadcast */
	unsigned kind;           /* bits ACCESS_LOAD and ACCESS_STORE */
	unsigned bytes;
	bool thread_local; /* the address is relative to %fs */
};

struct x86 {
	unsigned naccesses;
	struct x86_access access[2];
	/* a string instruction with a rep prefix: each access is made %rcx times */
	bool repeated;
	bool reads_flags;
	bool sets_flags; /* sets all flags, whatever their values were */
	/* a block of checks must end here: the next instruction does not always follow, or this
	 * instruction must stay next to its neighbours */
	bool ends_block;
	bool leaves;            /* the next instruction never follows it: jmp, ret, ud2 */
	struct x86_text target; /* the label to which a direct jump goes; n is 0 if there is none */
};

/* Parses one statement of assembly, which must be an instruction: neither a label nor a directive.
 */
void x86_parse(const char *statement, struct x86 *x);

/* Does `text` contain `what`? */
bool x86_has(struct x86_text text, const char *what);

#endif

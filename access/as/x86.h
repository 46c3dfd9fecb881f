/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the effect of an x86-64 instruction on memory, on the flags and on the flow of control.
 * Parses text that a compiler wrote in AT&T syntax. An unknown instruction is assumed to load its
 * operand in memory, if it has one, and neither to read nor to set flags. */
#ifndef MEMDB_ACCESS_AS_X86_H
#define MEMDB_ACCESS_AS_X86_H

#include <stdbool.h>

enum { X86_OPERANDS = 5 };

/* A part of a statement, of arbitrary length, because symbols of C++ may have thousands of
 * characters. Valid as long as the statement. */
struct x86_text {
	const char *at; /* not terminated */
	int n;
};

struct x86_access {
	/* its address in the form that lea accepts: no segment, mask or broadcast */
	struct x86_text operand;
	unsigned kind; /* bits ACCESS_LOAD and ACCESS_STORE */
	unsigned bytes;
	bool thread_local; /* whether the address is relative to %fs */
};

struct x86 {
	/* the accesses that are counted. Left out are those to the stack by push, pop, call and
	 * ret, gathers and scatters, and operands in %gs or the global offset table */
	unsigned naccesses;
	struct x86_access access[2];
	/* whether it is a string instruction with a rep prefix, which makes each access %rcx
	 * times */
	bool repeated;
	bool reads_flags;
	bool sets_flags; /* whether it sets all flags, independently of their old values */
	/* whether a block must end here: because the next instruction does not always follow, or
	 * because this instruction must stay next to its neighbours */
	bool ends_block;
	bool leaves;            /* whether the next instruction never follows it: jmp, ret, ud2 */
	struct x86_text target; /* the label to which a direct jump goes; n is 0 if there is none */
};

/* Parses one statement of assembly, which must be an instruction: neither a label nor a directive.
 */
void x86_parse(const char *statement, struct x86 *x);

/* Does `text` contain `what`? */
bool x86_has(struct x86_text text, const char *what);

#endif

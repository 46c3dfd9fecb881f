/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Splits the assembly text of a compiler into lines. Finds the kind of each line and, for an
 * instruction, the properties that decide where checks can be put. Lines of asm statements, which
 * people wrote, get the kind LINE_OPAQUE. */
#ifndef MEMDB_ACCESS_AS_ASM_LINES_H
#define MEMDB_ACCESS_AS_ASM_LINES_H

#include <search.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum line_kind {
	/* empty, a comment, a directive that does not end a block (such as .loc, .cfi or .p2align),
	 * or a label that only debug data name */
	LINE_EMPTY,
	LINE_LABEL,     /* something may jump here */
	LINE_INSN,      /* an instruction that the compiler generated */
	LINE_OPAQUE,    /* a line of an asm statement, which may contain anything */
	LINE_DIRECTIVE, /* any other directive: data, sections */
	LINE_END,       /* .cfi_endproc or .size, which end a function; many functions have both */
};

struct line {
	const char *text;
	uint8_t kind; /* enum line_kind */
	/* number of loads and stores (x86.access); 0 for a string instruction with rep */
	uint8_t accesses;
	bool repeated, reads_flags, sets_flags, ends_block, leaves;
	int target; /* for a jump, index of the line of the label to which it leads; otherwise -1 */
};

struct text {
	struct line *line;
	int n;
	char *bytes;
	struct label *labels;
	struct hsearch_data hash; /* finds labels by name */
	bool hashed;
	/* whether a compiler wrote the text for x86-64, in AT&T syntax, so that checks may be
	 * added */
	bool compiled;
};

/* Splits bytes[0..size) into lines and finds the kind of each. Takes ownership of `bytes`, which
 * must be allocated with room for one more byte. Returns false if out of memory; the caller must
 * call text_release() even then. */
bool text_read(struct text *t, char *bytes, size_t size);
void text_release(struct text *t);

/* Does an instruction name a symbol that begins with `prefix`, as the target of a call or jump or
 * as an address (-mcmodel=large calls through a register)? */
bool text_uses(const struct text *t, const char *prefix);

/* Are all flags set again, from this line on, before an instruction reads them? Returns false if
 * the text does not show that. */
bool text_flags_are_free(const struct text *t, int line);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The assembly text of a compiler, as lines. Says of each line what it is and, of an instruction,
 * what matters for where checks can stand. Text that people wrote (asm statements) is one opaque
 * line after the other.
 */
#ifndef MEMDB_ACCESS_AS_TEXT_H
#define MEMDB_ACCESS_AS_TEXT_H

#include <search.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum line_kind {
	LINE_EMPTY,     /* and comments, labels that only debug information names, .loc, .cfi */
	LINE_LABEL,     /* something may jump here */
	LINE_INSN,      /* an instruction of the compiler */
	LINE_OPAQUE,    /* an asm statement */
	LINE_DIRECTIVE, /* any other directive: data, sections */
	LINE_END,       /* the end of a function: .cfi_endproc, or .size where that is missing */
};

struct line {
	const char *text;
	uint8_t kind;     /* enum line_kind */
	uint8_t accesses; /* loads and stores of explicit operands; 0 for a repeated string */
	bool repeated, reads_flags, sets_flags, ends_block, leaves;
	int target; /* line of the label to which it jumps, or -1 */
};

struct text {
	struct line *line;
	int n;
	char *bytes;
	struct label *labels;
	struct hsearch_data hash; /* of the labels, by name */
	bool hashed;
	/* written by a compiler, for x86-64 in AT&T syntax: may be changed */
	bool compiled;
};

/* Takes ownership of bytes[0..size), which is allocated and has one more byte. Returns false if out
 * of memory; text_release() is due in any case. */
bool text_read(struct text *t, char *bytes, size_t size);
void text_release(struct text *t);

/* Is no flag read from this line on before it is set again? If that cannot be seen, false. */
bool text_flags_are_free(const struct text *t, int line);

#endif

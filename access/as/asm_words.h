/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Splits a statement of assembly into words: its mnemonic and its operands. */
#ifndef MEMDB_ACCESS_AS_ASM_WORDS_H
#define MEMDB_ACCESS_AS_ASM_WORDS_H

#include <stddef.h>

#include "x86.h"

/* The operands are borrowed from the statement; the mnemonic is a copy. */
struct words {
	char mnemonic[32]; /* the mnemonic without prefixes */
	unsigned n;
	struct x86_text operand[X86_OPERANDS];
	bool rep; /* whether it has a rep prefix */
};

void words_split(const char *statement, struct words *w);

/* Is this operand in memory? It is not if it is the target of a direct jump or call. */
bool words_is_memory(struct x86_text operand);

/* Returns the number of bytes that the last letter of a mnemonic (b, w, l or q) stands for; 0 for
 * other letters. */
unsigned words_letter_bytes(char c);

/* Returns the number of bytes that the instruction accesses at its operand in memory. */
unsigned words_bytes(const struct words *w);

bool word_starts(const char *word, const char *with);
bool word_ends(const char *word, const char *with);

/* Is `word` one of the words in `names`, which spaces separate? */
bool word_in(const char *word, const char *names);

/* Does `word` begin with one of the words in `names`? */
bool word_starts_in(const char *word, const char *names);

#endif

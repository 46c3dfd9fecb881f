/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "asm_words.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

bool word_in(const char *word, const char *names)
{
	const size_t n = strlen(word);

	for (const char *at = names; n && (at = strstr(at, word)); at += n)
		if ((at == names || at[-1] == ' ') && (at[n] == ' ' || !at[n]))
			return true;
	return false;
}

bool word_starts(const char *word, const char *with)
{
	return !strncmp(word, with, strlen(with));
}

bool word_ends(const char *word, const char *with)
{
	const size_t n = strlen(word), m = strlen(with);

	return n >= m && !strcmp(word + n - m, with);
}

bool word_starts_in(const char *word, const char *names)
{
	for (const char *at = names; *at; at += strcspn(at, " "), at += strspn(at, " "))
		if (!strncmp(word, at, strcspn(at, " ")))
			return true;
	return false;
}

/* Copies the first word of s to `word`, which has room for `room` bytes. Returns the text after it.
 */
static const char *next_word(const char *s, char *word, size_t room)
{
	size_t n;

	s += strspn(s, " \t;");
	n = strcspn(s, " \t;");
	snprintf(word, room, "%.*s", (int)n, s);
	return s + n;
}

/* Returns the length of an operand: up to a comma outside of parentheses, or a comment. */
static size_t operand_length(const char *s)
{
	int depth = 0;
	size_t n = 0;

	for (; s[n] && s[n] != '#' && (depth || s[n] != ','); n++)
		depth += (s[n] == '(' || s[n] == '{') - (s[n] == ')' || s[n] == '}');
	return n;
}

void words_split(const char *s, struct words *w)
{
	size_t n;

	memset(w, 0, sizeof(*w));
	for (;;) {
		s = next_word(s, w->mnemonic, sizeof(w->mnemonic));
		if (word_in(w->mnemonic, "rep repz repe repnz repne"))
			w->rep = true;
		else if (*w->mnemonic != '{' && !word_in(w->mnemonic, "lock notrack bnd"))
			break;
	}
	for (s += strspn(s, " \t"); *s && *s != '#' && w->n < X86_OPERANDS; w->n++) {
		const char *at = s;

		n = operand_length(s);
		s += n;
		while (n && isspace((unsigned char)at[n - 1]))
			n--;
		w->operand[w->n] = (struct x86_text){ at, (int)n };
		s += *s == ',';
		s += strspn(s, " \t");
	}
}

bool words_is_memory(struct x86_text operand)
{
	const char *o = operand.at;

	return operand.n && *o != '$' && *o != '{' &&
	       (*o != '%' || word_starts(o, "%fs:") || word_starts(o, "%gs:"));
}

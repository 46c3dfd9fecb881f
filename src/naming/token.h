/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tokens of a statement of C, C++ or Fortran, as far as names and assignments need them. */
#ifndef MEMDB_NAMING_TOKEN_H
#define MEMDB_NAMING_TOKEN_H

#include <stdbool.h>
#include <stddef.h>

enum token_kind {
	TOK_END = 0, /* returned by token_at() outside the line */
	TOK_NAME,
	TOK_NUMBER,
	TOK_STRING, /* or a character constant */
	TOK_ASSIGN, /* = += -= … := */
	TOK_ARROW,  /* -> */
	TOK_SCOPE,  /* :: */
	TOK_LOGIC,  /* == != <= >= && || */
	TOK_OTHER,  /* any other operator of several characters */
		    /* any other character stands for itself */
};

struct token {
	int kind; /* TOK_*, or the character */
	const char *s;
	size_t len;
};

enum { TOK_MAX = 400 };

struct tokens {
	struct token t[TOK_MAX];
	int n;
	bool is_declarator; /* one of several variables of a declaration, without the type:
			     * "second(3);" */
};

/* Reads the token at s, which is not a space, a comment or the end of the text. */
void token_read(const char *s, struct token *t);

/* Splits a line into tokens, without comments. Tokens beyond TOK_MAX are dropped. */
void tokens_read(struct tokens *ts, const char *line);

/* Token i, or one of kind TOK_END if there is none. */
const struct token *token_at(const struct tokens *ts, int i);

static inline int token_kind(const struct tokens *ts, int i)
{
	return token_at(ts, i)->kind;
}

/* The partner of the bracket at i: to the left of a closing one, to the right of an opening one.
 * -1 if the line does not have it. */
int token_match(const struct tokens *ts, int i);

/* Is token i a name from the list `words`? Single spaces surround and separate its words: " if
 * while for ". */
bool token_in(const struct tokens *ts, int i, const char *words);

/* The same, ignoring case, for one word without spaces. */
bool token_is_nocase(const struct tokens *ts, int i, const char *word);

#endif

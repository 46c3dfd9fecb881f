/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tokens of a statement of C, C++ or Fortran, as far as names and assignments need them. */
#ifndef MEMDB_NAMING_TOKEN_H
#define MEMDB_NAMING_TOKEN_H

#include <stdbool.h>
#include <stddef.h>

enum token_kind {
	TOK_END = 0, /* what token_at() gives outside of the line */
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
	bool is_declarator; /* one of several of a declaration, without the type: "second(3);" */
};

/* Reads the token at s, where neither space nor a comment begins, nor the text ends. */
void token_read(const char *s, struct token *t);

/* Splits a line without its comments; tokens beyond TOK_MAX are left out. */
void tokens_read(struct tokens *ts, const char *line);

/* Token i; one of kind TOK_END where there is none. */
const struct token *token_at(const struct tokens *ts, int i);

static inline int token_kind(const struct tokens *ts, int i)
{
	return token_at(ts, i)->kind;
}

/* The bracket that belongs to the one at i, to the left of a closing or to the right of an opening
 * one; -1 where the line does not have it. */
int token_match(const struct tokens *ts, int i);

/* True where token i is a name and one of the words, which is a list with single spaces around and
 * between them: " if while for ". */
bool token_in(const struct tokens *ts, int i, const char *words);

/* The same in any case of letters, for one word without spaces. */
bool token_is_nocase(const struct tokens *ts, int i, const char *word);

#endif

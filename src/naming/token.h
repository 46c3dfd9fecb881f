/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Splits a statement of C, C++, Rust or Fortran into tokens, as far as it is necessary to find
 * names and assignments. */
#ifndef MEMDB_NAMING_TOKEN_H
#define MEMDB_NAMING_TOKEN_H

#include <stdbool.h>
#include <stddef.h>

enum token_kind {
	TOK_END = 0, /* the kind that token_at() returns outside the line */
	TOK_NAME,
	TOK_NUMBER,
	TOK_STRING, /* a string or a character constant */
	TOK_ASSIGN, /* = += -= … := */
	TOK_ARROW,  /* -> */
	TOK_SCOPE,  /* :: */
	TOK_LOGIC,  /* == != <= >= && || */
	/* ++ -- << => and "...". Any other character is a token of its own, whose kind is that
	 * character */
	TOK_OTHER,
};

struct token {
	int kind; /* TOK_*, or a character */
	const char *s;
	size_t len;
};

enum { TOK_MAX = 400 };

struct tokens {
	struct token t[TOK_MAX];
	int n;
	/* whether the tokens are a part of a declaration of several variables, such as
	 * "second(3);", without the type */
	bool is_declarator;
};

/* Does the text at s start with `with`? Reads nothing behind the first difference, so it costs
 * little in a line of a megabyte, where strncmp() under a sanitizer searches for the line's end. */
bool text_starts(const char *s, const char *with);

/* Reads into *t the token that begins at s. No space, comment or end of the text may be there. */
void token_read(const char *s, struct token *t);

/* Splits a line into tokens and drops comments. Tokens beyond TOK_MAX are dropped. */
void tokens_read(struct tokens *ts, const char *line);

/* Returns token i; outside the line, a token of kind TOK_END. */
const struct token *token_at(const struct tokens *ts, int i);

static inline int token_kind(const struct tokens *ts, int i)
{
	return token_at(ts, i)->kind;
}

/* Is a token of this kind a "." or "->"? */
static inline bool is_member_access(int kind)
{
	return kind == '.' || kind == TOK_ARROW;
}

/* Returns the position of the partner of the bracket at token i; -1 if the partner is not among the
 * tokens. */
int token_match(const struct tokens *ts, int i);

/* Does the same for the bracket at token i, which is at least 0, of t[0..n). */
int token_partner(const struct token *t, int n, int i);

/* Returns the position after the template arguments that begin at token i; -1 if they do not end.
 */
int after_template(const struct tokens *ts, int i);

/* If token i begins a cast of C++, as in "static_cast<T *>(p)", returns the bracket at its value;
 * otherwise -1. */
int cast_value(const struct tokens *ts, int i);

/* Is token i a name in the list `words`? The words of the list are surrounded by single spaces:
 * " if while for ". */
bool token_in(const struct tokens *ts, int i, const char *words);

/* Is token i this word? Upper and lower case are equal. The word has no spaces. */
bool token_is_nocase(const struct tokens *ts, int i, const char *word);

/* Is token i a keyword of C or C++ that is not a type, such as "return"? */
bool token_is_keyword(const struct tokens *ts, int i);

/* Is token i a type without a constructor, such as int? Then declaring a variable of it allocates
 * nothing. */
bool token_is_plain_type(const struct tokens *ts, int i);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions and statements in a source file of C or C++, from its brackets: no grammar, so macros
 * that open or close a block by themselves lead to no answer or to a statement that is too long.
 */
#ifndef MEMDB_NAMING_SCOPE_H
#define MEMDB_NAMING_SCOPE_H

#include "naming/scan.h"

/* A function: head, parameters, body; positions in a view. */
struct function {
	uint32_t head;            /* the first token of its declaration */
	uint32_t parameters, end; /* the brackets around the parameters */
	uint32_t body, close;     /* the braces around the body */
};

/* What one place in a file sees of it: see scan_sees(). */
struct view {
	uint32_t branch; /* for which it was made */
	struct {
		struct view_token {
			struct token t;
			uint32_t line, column;
			int32_t partner; /* of a bracket: where the other one is; -1 none */
		} * at;
		uint32_t n, cap;
	} tokens;
	struct {
		struct function *at;
		uint32_t n, cap;
	} functions; /* in order; none inside another */
};

/* False when out of memory. */
bool view_make(struct view *v, const struct scan *s, uint32_t branch);
void view_release(struct view *v);

/* The kind of a token; TOK_END outside of the file. */
int view_kind(const struct view *v, int64_t i);
bool view_is(const struct view *v, int64_t i, const char *word);

/* The token that covers, or else precedes, a column of a line; column 0: the line's first. -1 where
 * the line has none or ends before the column. */
int64_t view_at(const struct view *v, uint32_t line, uint32_t column);

/* The function whose head, parameters or body hold token i, or NULL. */
const struct function *view_function(const struct view *v, int64_t i);

/* The statement around token i, of a declaration of several variables the one around i, with the
 * sign that ends it, where it has one. In a constructor's list of members: the member with its
 * arguments. Tokens beyond TOK_MAX are left out. *at is i's place in it; false where there is no
 * statement. */
bool view_statement(const struct view *v, int64_t i, struct tokens *out, int *at);

#endif

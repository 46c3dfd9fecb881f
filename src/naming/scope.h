/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds functions and statements in a C, C++ or Rust source file by its brackets. There is no
 * grammar: where a macro opens or closes a block, the search finds nothing, or a statement that is
 * too long. */
#ifndef MEMDB_NAMING_SCOPE_H
#define MEMDB_NAMING_SCOPE_H

#include "naming/scan.h"

/* A function in the source text; the members are positions of tokens in a view. */
struct function {
	uint32_t head;            /* first token of the function's declaration */
	uint32_t parameters, end; /* positions of the round brackets around the parameters */
	uint32_t body, close;     /* positions of the braces around the body */
};

/* The tokens of a file that can be compiled together with one line of it (scan.h). */
struct view {
	uint32_t branch; /* the branch of #if in which that line is; 0 means none */
	bool is_rust;
	struct {
		struct view_token {
			struct token t;
			uint32_t line, column;
			int32_t partner; /* for a bracket, the position of its partner; -1 means
					  * none */
		} * at;
		uint32_t n, cap;
	} tokens;
	struct {
		struct function *at;
		uint32_t n, cap;
	} functions; /* in the order of the file; they are not nested */
};

/* Makes the view from a line in this branch. Returns false when out of memory; view_release() must
 * be called in any case. */
bool view_make(struct view *v, const struct scan *s, uint32_t branch);
void view_release(struct view *v);

/* Returns the kind of token i; TOK_END if i is outside the file. */
int view_kind(const struct view *v, int64_t i);
bool view_is(const struct view *v, int64_t i, const char *word);
bool view_is_any(const struct view *v, int64_t i, const char *const *words, size_t n);

/* Returns the position of the partner of the bracket at token i; -1 if there is none. */
int64_t view_partner(const struct view *v, int64_t i);

/* Returns the last token of the name before the template arguments that end at token i; i if none
 * end there; -1 if their begin is not found. */
int64_t view_before_template(const struct view *v, int64_t i);

/* Returns the position of the token at this column of a line, or of the token that ends just before
 * the column. For a column before the first token of the line, such as 0, returns the first token.
 * Returns -1 if there is no such token. */
int64_t view_at(const struct view *v, uint32_t line, uint32_t column);

/* Returns the function whose head, parameters or body contains token i; NULL if there is none. */
const struct function *view_function(const struct view *v, int64_t i);

/* Gets the statement that contains token i, with its ";" if it has one. If the statement declares
 * several variables, gets only the part for the variable at i. If token i is in a constructor's
 * list, gets the member with its arguments. A statement ends before the body of a lambda; for a
 * token after the body, gets the statement before it, with *at at the "[" of the lambda. Drops
 * tokens beyond TOK_MAX. Sets *at to the position of token i in the statement. Returns false if
 * there is no statement. */
bool view_statement(const struct view *v, int64_t i, struct tokens *out, int *at);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds functions and statements in a C or C++ source file by its brackets. There is no grammar: a
 * macro that opens or closes a block leads to no answer, or to a statement that is too long.
 */
#ifndef MEMDB_NAMING_SCOPE_H
#define MEMDB_NAMING_SCOPE_H

#include "naming/scan.h"

/* A function; the members are positions in a view. */
struct function {
	uint32_t head;            /* first token of the function's declaration */
	uint32_t parameters, end; /* positions of the round brackets around the parameters */
	uint32_t body, close;     /* positions of the braces around the body */
};

/* The tokens of a file that can be compiled together with one line of it (scan.h). */
struct view {
	uint32_t branch; /* the preprocessor branch of that line; 0 means none */
	struct {
		struct view_token {
			struct token t;
			uint32_t line, column;
			int32_t partner; /* position of the bracket's partner; -1 means none */
		} * at;
		uint32_t n, cap;
	} tokens;
	struct {
		struct function *at;
		uint32_t n, cap;
	} functions; /* in the order of the file; they are not nested */
};

/* Makes the view of a branch. Returns false when out of memory. Call view_release() in any case. */
bool view_make(struct view *v, const struct scan *s, uint32_t branch);
void view_release(struct view *v);

/* Returns the kind of a token; TOK_END outside the file. */
int view_kind(const struct view *v, int64_t i);
bool view_is(const struct view *v, int64_t i, const char *word);

/* Returns the token at a column of a line. If there is none, returns the token before it; for
 * column 0, the first token of the line. -1 if the line has no token or ends before the column. */
int64_t view_at(const struct view *v, uint32_t line, uint32_t column);

/* Returns the function that contains token i, in its head, parameters or body; NULL if there is
 * none. */
const struct function *view_function(const struct view *v, int64_t i);

/*
 * Gets the statement around token i, with its ";" if it has one. If it declares several variables,
 * gets only the part for the variable around i; in a constructor's list, the member with its
 * arguments. Tokens beyond TOK_MAX are dropped. *at becomes the position of i in the statement.
 * Returns false if there is no statement.
 */
bool view_statement(const struct view *v, int64_t i, struct tokens *out, int *at);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds functions and statements in a C or C++ source file by its brackets. There is no grammar, so
 * macros that open or close a block lead to no answer or to a statement that is too long.
 */
#ifndef MEMDB_NAMING_SCOPE_H
#define MEMDB_NAMING_SCOPE_H

#include "naming/scan.h"

/* A function: head, parameters, body; positions in a view. */
struct function {
	uint32_t head;            /* first token of the declaration */
	uint32_t parameters, end; /* brackets around the parameters */
	uint32_t body, close;     /* braces around the body */
};

/* The part of a file that one place sees: see scan_sees(). */
struct view {
	uint32_t branch; /* the branch whose view this is */
	struct {
		struct view_token {
			struct token t;
			uint32_t line, column;
			int32_t partner; /* position of a bracket's partner; -1: none */
		} * at;
		uint32_t n, cap;
	} tokens;
	struct {
		struct function *at;
		uint32_t n, cap;
	} functions; /* in order; not nested */
};

/* Makes the view of a scan from a branch. Returns false when out of memory. Call view_release() in
 * any case. */
bool view_make(struct view *v, const struct scan *s, uint32_t branch);
void view_release(struct view *v);

/* Returns the kind of a token; TOK_END outside the file. */
int view_kind(const struct view *v, int64_t i);
bool view_is(const struct view *v, int64_t i, const char *word);

/* Returns the token at a column of a line, else the one before it; for column 0, the line's first.
 * -1 if the line has no token or ends before the column. */
int64_t view_at(const struct view *v, uint32_t line, uint32_t column);

/* Returns the function whose head, parameters or body contain token i, or NULL. */
const struct function *view_function(const struct view *v, int64_t i);

/*
 * Gets the statement around token i, with its terminator if there is one. In a declaration of
 * several variables it is only the part around i; in a constructor's list, the member with its
 * arguments. Drops tokens beyond TOK_MAX. *at is the position of i in the statement. Returns false
 * if there is no statement.
 */
bool view_statement(const struct view *v, int64_t i, struct tokens *out, int *at);

#endif

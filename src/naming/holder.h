/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The expression that holds a new block, in the words of one function, and what it is in those of
 * the function's caller: what a constructor assigns to "start_" is "neighbours.start_" where "Array
 * neighbours(n)" calls it, and "*out" is "grid" where "make(&grid)" does.
 */
#ifndef MEMDB_NAMING_HOLDER_H
#define MEMDB_NAMING_HOLDER_H

#include "naming/assign.h"
#include "naming/function.h"
#include "naming/source.h"

enum { HOLDER_MAX = 120 }; /* a longer name helps nobody */

struct holder {
	char text[HOLDER_MAX];
	size_t base,
		base_len; /* the variable it begins from: "p" in "p->rows", "(*p)[i]", "ROWS(p)" */
};

/* False where there is no name or it does not fit. */
bool holder_from(struct holder *h, const struct tokens *ts, struct name n);

/* How the caller of a function gets at the holder. */
enum holder_path {
	HOLDER_ENDS,      /* not at all: it is a variable of its own there, or a static one */
	HOLDER_RETURNED,  /* the function returns the variable it begins from */
	HOLDER_PARAMETER, /* the variable is a parameter */
	HOLDER_MEMBER, /* of the object whose method the function is, if it is no static variable */
};

struct holder_way {
	enum holder_path path;
	int parameter;        /* from 0 */
	struct method callee; /* the function; its text must stay */
};

struct holder_way holder_way(const struct holder *h, const struct statement *st,
			     const char *function);

/* Does the statement call the function? */
bool statement_calls(const struct statement *st, const struct method *function);

/* Says h in the words of the caller, whose statement calls the function. False where the statement
 * does not show what is needed: then h is as it was. */
bool holder_in_caller(struct holder *h, const struct holder_way *way, const struct statement *st);

/* The text is the variable's name and nothing else. */
bool holder_is_variable(const struct holder *h);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The expression that holds a new block, as one function writes it, translated into what the
 * function's caller would write: "start_" in a constructor is "neighbours.start_" for the caller
 * "Array neighbours(n)", and "*out" is "grid" for "make(&grid)".
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
		base_len; /* the variable at its start: "p" in "p->rows", "(*p)[i]", "ROWS(p)" */
};

/* False if there is no name or it does not fit. */
bool holder_from(struct holder *h, const struct tokens *ts, struct name n);

/* How the caller of a function reaches the holder. */
enum holder_path {
	HOLDER_ENDS,      /* not at all: it is a local or static variable */
	HOLDER_RETURNED,  /* the function returns the variable at the holder's start */
	HOLDER_PARAMETER, /* the variable is a parameter */
	HOLDER_MEMBER, /* it is a member of the method's object, unless it is a static variable */
};

struct holder_way {
	enum holder_path path;
	int parameter;        /* from 0 */
	struct method callee; /* the function; the text must outlive this */
};

struct holder_way holder_way(const struct holder *h, const struct statement *st,
			     const char *function);

/* Does the statement call the function? */
bool statement_calls(const struct statement *st, const struct method *function);

/* Translates h for the caller, whose statement calls the function. False, with h unchanged, if
 * the statement does not show enough. */
bool holder_in_caller(struct holder *h, const struct holder_way *way, const struct statement *st);

/* The text is the variable's name and nothing else. */
bool holder_is_variable(const struct holder *h);

#endif

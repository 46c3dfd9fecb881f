/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Translates the expression that holds a new block from one function to its caller: "start_" in a
 * constructor becomes "neighbours.start_" in the caller of "Array neighbours(n)", and "*out"
 * becomes "grid" in the caller of "make(&grid)".
 */
#ifndef MEMDB_NAMING_HOLDER_H
#define MEMDB_NAMING_HOLDER_H

#include "naming/assign.h"
#include "naming/function.h"
#include "naming/source.h"

enum { HOLDER_MAX = 120 }; /* bytes; longer names are not readable */

struct holder {
	char text[HOLDER_MAX];
	size_t base,
		base_len; /* the variable in the text: "p" in "p->rows", "(*p)[i]", "ROWS(p)" */
};

/* Sets h to the name n. Returns false if there is no name or it does not fit. */
bool holder_from(struct holder *h, const struct tokens *ts, struct name n);

/* The way by which the caller of a function reaches the holder. */
enum holder_path {
	HOLDER_ENDS,      /* none: it is a local or static variable */
	HOLDER_RETURNED,  /* the function returns the variable at the holder's start */
	HOLDER_PARAMETER, /* the variable is a parameter */
	HOLDER_MEMBER,    /* the variable may be a member of the method's object; it may also be
			   * static */
};

struct holder_way {
	enum holder_path path;
	int parameter;        /* from 0 */
	struct method callee; /* the function; its text must outlive this struct */
};

struct holder_way holder_way(const struct holder *h, const struct statement *st,
			     const char *function);

/* Does the statement call the function? */
bool statement_calls(const struct statement *st, const struct method *function);

/* Translates h for the caller, whose statement calls the function. Returns false, with h unchanged,
 * if the statement does not show enough. */
bool holder_in_caller(struct holder *h, const struct holder_way *way, const struct statement *st);

/* Is the text only the variable's name? */
bool holder_is_variable(const struct holder *h);

#endif

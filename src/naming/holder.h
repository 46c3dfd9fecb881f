/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A holder is the expression that holds a new block: "start_", or "*out". This file translates it
 * from the words of a function to those of the function's caller. "start_" in a constructor becomes
 * "neighbours.start_" in the caller that has "Array neighbours(n)". "*out" becomes "grid" in the
 * caller that has "make(&grid)".
 */
#ifndef MEMDB_NAMING_HOLDER_H
#define MEMDB_NAMING_HOLDER_H

#include "naming/assign.h"
#include "naming/function.h"
#include "naming/source.h"

enum { HOLDER_MAX = 120 }; /* bytes; a longer name is not readable */

struct holder {
	char text[HOLDER_MAX];
	size_t base,
		/* start and length of the variable in the text: "p" in "p->rows", "(*p)[i]",
		 * "ROWS(p)" */
		base_len;
};

/* Sets h to the name n. Returns false if there is no name or if it does not fit. */
bool holder_from(struct holder *h, const struct tokens *ts, struct name n);

/* How the caller of a function can access the block that the function stored in a holder. */
enum holder_path {
	HOLDER_ENDS,      /* not at all: the holder is a local or a static variable */
	HOLDER_RETURNED,  /* the function returns the variable in the holder */
	HOLDER_PARAMETER, /* the variable in the holder is a parameter */
	/* the variable may be a member of the method's object (a static variable looks the same) */
	HOLDER_MEMBER,
};

struct holder_way {
	enum holder_path path;
	int parameter; /* index of the parameter, from 0 */
	/* the function that stored the block; borrows the text of its name */
	struct method callee;
};

struct holder_way holder_way(const struct holder *h, const struct statement *st,
			     const char *function);

/* Does the statement call the function? */
bool statement_calls(const struct statement *st, const struct method *function);

/* Translates h from the words of way->callee to those of its caller. `st` is the caller's statement
 * that makes the call. Returns false, with h unchanged, if the statement does not show enough. */
bool holder_in_caller(struct holder *h, const struct holder_way *way, const struct statement *st);

/* Is the text only the name of a variable? */
bool holder_is_variable(const struct holder *h);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A holder is the expression to which the source text assigns a new block: "start_", or "*out". The
 * functions of this file translate it from the variables of a function to those of the function's
 * caller. "start_" in a constructor becomes "neighbours.start_" in a caller that contains "Array
 * neighbours(n)". "*out" becomes "grid" in a caller that contains "make(&grid)". */
#ifndef MEMDB_NAMING_HOLDER_H
#define MEMDB_NAMING_HOLDER_H

#include "naming/assign.h"
#include "naming/function.h"
#include "naming/source.h"

enum { HOLDER_MAX = 120 }; /* maximum number of bytes of a holder; a longer name is not readable */

struct holder {
	char text[HOLDER_MAX];
	/* start and length in `text` of the variable: "p" in "p->rows", "(*p)[i]", "ROWS(p)" */
	size_t base, base_len;
};

/* Sets *h to the expression n. Returns false if n is no_name, contains no variable, or does not
 * fit. */
bool holder_from(struct holder *h, const struct tokens *ts, struct name n);

/* Sets *h to the variable `name`. Returns false if it does not fit. */
bool holder_of_variable(struct holder *h, const char *name);

/* Does the name consist only of a variable with members, subscripts and calls, without operators?
 * Then another name can be appended to it without brackets. */
bool name_is_path(const struct tokens *ts, struct name n);

/* How the caller of a function can access a block that the function has stored in a holder. */
enum holder_path {
	/* not by an expression of its own: the block is assigned to a local or a static variable */
	HOLDER_ENDS,
	HOLDER_RETURNED,  /* the function returns the variable in the holder */
	HOLDER_PARAMETER, /* the variable in the holder is a parameter */
	/* the variable may be a member of the object, because the function is a method; a static
	 * variable looks the same */
	HOLDER_MEMBER,
};

struct holder_way {
	enum holder_path path;
	int parameter; /* for HOLDER_PARAMETER: its index, from 0 */
	/* the function that stored the block; its texts are borrowed */
	struct method callee;
	/* for HOLDER_MEMBER: functions of the C++ library called the constructor `callee`, as
	 * std::make_unique does */
	bool forwarded;
	/* the block belongs to an element of the container in the holder or, if `forwarded`, of the
	 * container that the caller's statement shows */
	bool is_element;
	bool is_default; /* `callee` has no parameters */
	/* the holder points to a place after the begin of the block */
	bool is_inside;
	/* the holder points to the first of several arrays of different types in the block */
	bool is_parted;
	/* `callee` stores the block in a buffer, as in "b->data", and returns only the position in
	 * it at which the caller may write, as in "p + b->used" */
	bool is_buffer;
	/* the holder has the elements of the block; what `callee` returns is only one of them */
	bool is_pool;
};

struct holder_way holder_way(const struct holder *h, const struct statement *st,
			     const char *function);

/* Sets h->text to the three texts in sequence. Returns false, with *h unchanged, if they do not fit
 * or contain no variable. */
bool holder_set(struct holder *h, const char *before, const char *middle, const char *behind);

/* Is token i of the file the variable with which h->text begins? h->base must be 0. */
bool holder_begins_at(const struct view *v, int64_t i, const struct holder *h);

/* Is token i this word? */
bool token_is_word(const struct tokens *ts, int i, struct word w);

/* Returns the position of the name `function` where the statement calls it; -1 if it does not. If
 * there are several calls, returns the last one at or before st->at, the token that debug
 * information reports; if all are after that token, the first one. */
int statement_call(const struct statement *st, struct word function);

/* Returns the opening bracket of the call whose function name is token i, after template arguments;
 * -1 if it is not a call. */
int call_open(const struct tokens *ts, int i);

/* Does the statement call the function? */
bool statement_calls(const struct statement *st, const struct method *function);

/* Does the statement only call the function, without using its result? */
bool statement_drops(const struct statement *st, const struct method *function);

/* Returns the object whose method the statement calls if it does nothing else, so that only this
 * object can hold a block that the method allocates: "laplace" in "laplace.fill(rows);". `function`
 * is the method's name in debug information. */
struct name object_of_call(const struct statement *st, const char *function);

/* Translates *h, the expression to which the function way->callee assigns a block, so that it names
 * the variables of that function's caller. `st` is the caller's statement that makes the call.
 * Returns false, with *h unchanged, if the statement does not show enough. */
bool holder_in_caller(struct holder *h, const struct holder_way *way, const struct statement *st);

/* Does the statement make the call that the debug information reports for an element of the
 * container *h (element_container())? */
bool is_element_of(const struct holder *h, const struct statement *st);

/* If h->text begins with scopes, as in "Base::rows[i]", scoped_member() returns what follows them;
 * otherwise NULL. holder_drop_scopes() removes the scopes. */
const char *scoped_member(const struct holder *h);
void holder_drop_scopes(struct holder *h);

/* Empties the subscripts in h->text, except numbers: their variables belong to the function that
 * stored the block, so they have no meaning in its callers. */
void holder_drop_subscripts(struct holder *h);

/* Returns the length of the text before the subscript at its end: 4 for "rows[of[k]]"; 0 if it does
 * not end with a subscript. */
size_t holder_before_subscript(const char *text);

/* Is the expression h->text only the name of a variable? */
bool holder_is_variable(const struct holder *h);

#endif

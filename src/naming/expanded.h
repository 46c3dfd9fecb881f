/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the statements that a macro contains. Debug information reports the line of the macro call
 * for all of their code, so it does not tell them apart. The macro may be outside all functions and
 * define some, as KHASH_INIT(name, …) does, or in a function, as HASH_ADD_INT(…) is. */
#ifndef MEMDB_NAMING_EXPANDED_H
#define MEMDB_NAMING_EXPANDED_H

#include "naming/source.h"

/* Is the statement the call of a macro that may contain other statements: outside all functions, or
 * in a function and without the text of an allocating call? In a function, the macro may also have
 * no parameters, if it is a statement of its own. The definition is searched as by
 * macro_expand(). */
bool is_expanded(const struct statement *st);

/*
 * For a statement for which is_expanded() is true: gets in *out the statement number `number`, from
 * 0, of those of the macro with which the function `function` may have made a call: the statements
 * that call `callee` or, if there are none or callee is NULL, those that allocate. The macro may
 * use others, whose definitions are searched as by macro_expand().
 *
 * Returns false if there are no more, or if the function is not found.
 */
bool expanded_statement(const struct statement *st, const char *function, const char *callee,
			unsigned number, struct statement *out);

/* For a statement in a function for which is_expanded() is true: writes to `out` a name for what
 * the macro allocates, from the first argument that is a variable: "users (HASH_ADD_INT)" for
 * "HASH_ADD_INT(users, id, s)". Returns false if there is no such argument, if the name does not
 * fit, or if the macro does not have several calls as of expanded_statement(). */
bool expanded_name(const struct statement *st, const char *function, const char *callee, char *out,
		   size_t size);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the source text of functions that a macro outside all functions defines, as
 * KHASH_INIT(name, …) does. Debug information reports the line of the macro for all of their code,
 * so it does not tell their statements apart. */
#ifndef MEMDB_NAMING_EXPANDED_H
#define MEMDB_NAMING_EXPANDED_H

#include "naming/source.h"

/* Is the statement a macro call outside all functions, so that code of the line is in a function
 * that the macro defines? The definition is searched as by macro_expand(). */
bool is_expanded(const struct statement *st);

/*
 * For a statement for which is_expanded() is true: gets in *out the statement number `number`, from
 * 0, of those with which the function `function` of the macro may have made a call: the statements
 * that call `callee` or, if there are none or callee is NULL, those that allocate. The macro may
 * use others, whose definitions are searched as by macro_expand().
 *
 * Returns false if there are no more, or if the function is not found.
 */
bool expanded_statement(const struct statement *st, const char *function, const char *callee,
			unsigned number, struct statement *out);

#endif

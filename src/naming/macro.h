/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Expands macros of the program that allocate: "kv_push(int, list, x)" has neither an allocating
 * call nor an assignment until it is replaced by its definition. */
#ifndef MEMDB_NAMING_MACRO_H
#define MEMDB_NAMING_MACRO_H

#include "naming/function.h"
#include "naming/source.h"

/*
 * The code of the statement, in the file at `path`, calls the function `callee` or, with NULL,
 * allocates. Does nothing if the statement's text shows the call of `callee` or, with NULL, what
 * gets the block. Otherwise a macro may contain the call. If the definition of a macro in the
 * statement has exactly one such call, replaces the macro in st->tokens by the definition, and sets
 * st->at to the call.
 *
 * The definition must be in the same file, or in one of the files of its folder that it includes by
 * #include "…", directly or not. `not_after` is that of source_line().
 */
void macro_expand(struct sources *s, const char *path, int64_t not_after,
		  const struct method *callee, struct statement *st);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Expands macros of the program that allocate: "kv_push(int, list, x)" has neither an allocating
 * call nor an assignment until it is replaced by its definition. */
#ifndef MEMDB_NAMING_MACRO_H
#define MEMDB_NAMING_MACRO_H

#include "naming/function.h"
#include "naming/source.h"

/*
 * Expands a macro in a statement of the file at `path`. The code of the statement is known to call
 * the function `callee`; with `callee` NULL, it is known to allocate. If the text of the statement
 * does not show that call, a macro may contain it: if the definition of a macro in the statement
 * has exactly one such call, the definition replaces the macro in st->tokens, and st->at becomes
 * the call. Nothing changes if the text shows the call of `callee` or, with NULL, the variable that
 * gets the block, or if the statement is outside of functions.
 *
 * The definition must be in the same file, or in a file that it includes, directly or through other
 * files. An included file is searched in the folder of the file that includes it, in the folders
 * around that one, in their folders "include", and in /usr/include. `not_after` is that of
 * source_line().
 */
void macro_expand(struct sources *s, const char *path, int64_t not_after,
		  const struct method *callee, struct statement *st);

/* Finds the definition of the macro `name`, which has parameters or, with is_plain, has none and
 * may contain calls, for a statement at *st. Searches the files that macro_expand() searches.
 * Writes the path of its file to path[0..size), and sets *line. Returns false if it is not found,
 * if the path does not fit, or if a file defines a macro without parameters more than once: the
 * source then does not show which definition is used. */
bool macro_find(const struct statement *st, const struct token *name, bool is_plain, char *path,
		size_t size, uint32_t *line);

/* Does the function return another pointer that a macro computes from the variable, as in "t =
 * to_table(p); return t;"? The macro must call no function, directly or through other macros. Its
 * definition is searched as by macro_expand(). */
bool macro_casts_result(const struct statement *st, struct word variable);

#endif

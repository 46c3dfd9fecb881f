/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds where a function keeps a block that it first assigns to a local variable: "list->items" if
 * it has "p = realloc(list->items, n); … list->items = p;", "chunks_" if it has
 * "chunks_.push_back(p);". */
#ifndef MEMDB_NAMING_STORED_H
#define MEMDB_NAMING_STORED_H

#include "naming/holder.h"

/* The statement assigns a block to the local variable *h. If a later statement of the function
 * stores the variable where it outlives the function (in the target of a parameter or of a local
 * pointer, in a member, in a static variable, in a variable that the function returns), or passes
 * it to a function of the same file that does so, sets *h to this place and *way to how the caller
 * can access it. Returns false, with both unchanged, if there is no such statement.
 *
 * is_copied: the variable is a container of C++, so an assignment copies the block. Then only
 * std::move() counts. `function` is the name of the function in the debug information. */
bool stored_at(struct holder *h, const struct statement *st, const char *function, bool is_copied,
	       struct holder_way *way);

/* The statement is "*h = x->y = call( … );", and *h cannot be accessed after the function has
 * returned. If x->y can, sets *h to it and *way as stored_at() does. Otherwise returns false, with
 * *h unchanged. */
bool stored_in_chain(struct holder *h, const struct statement *st, const char *function,
		     struct holder_way *way);

/* If the function that token `call` calls is in the same file and stores its argument `number`,
 * which counts from 0, through another parameter, sets *to to that place, as an expression of the
 * caller: "c->pool.start" for p in "pool_set(&c->pool, p)". Otherwise returns false. */
bool stored_by_call(const struct view *v, int64_t call, int number, struct holder *to);

/* If the variable in *h is only another name for a place, replaces it by that place: "level->x"
 * becomes "grid->levels[i].x" after "level = &grid->levels[i];" or "T &level = grid->levels[i];".
 * This must be the only statement of the function that sets the variable, and it must come before
 * token `place`, where the function uses the variable. Otherwise returns false, with *h unchanged.
 */
bool resolve_alias(struct holder *h, const struct statement *st, int64_t place);

#endif

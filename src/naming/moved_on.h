/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds functions that move a pointer to a new block on. */
#ifndef MEMDB_NAMING_MOVED_ON_H
#define MEMDB_NAMING_MOVED_ON_H

#include "naming/holder.h"

/* Does a later statement of the function move the pointer in *h to a place after the begin of the
 * block, as in "p++;" or "p += 2;"? */
bool is_moved_on(const struct holder *h, const struct statement *st);

/* Returns the end of the loop whose keyword is token i: the position after its last token; i if
 * token i begins no loop. Searches up to `end`. */
int64_t loop_end(const struct view *v, int64_t i, int64_t end);

/* The statement at token i stores the pointer `name`. Does a loop of the function f around token i
 * move the pointer on? Then the block is carved into elements, and each of them is stored, as in
 * "for (…) { p->next = free; free = p; p++; }". */
bool is_carved_at(const struct view *v, const struct function *f, struct word name, int64_t i);

#endif

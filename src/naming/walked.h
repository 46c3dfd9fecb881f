/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the begin of the list or tree along which a function moves a pointer to a pointer. */
#ifndef MEMDB_NAMING_WALKED_H
#define MEMDB_NAMING_WALKED_H

#include "naming/holder.h"

/* The statement assigns a block to "*p". If the function first sets p to the address of a variable,
 * as in "p = &tree->root;", and then only moves it on, as in "p = &(*p)->left;", the block becomes
 * a node of the list or tree that begins there: sets *h to that variable, "tree->root". Otherwise
 * returns false, with *h unchanged. */
bool resolve_walk(struct holder *h, const struct statement *st);

#endif

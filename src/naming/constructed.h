/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the member of a returned object that gets a block: "Graph.edges" for the local variable e
 * in "return Graph(e, n);". */
#ifndef MEMDB_NAMING_CONSTRUCTED_H
#define MEMDB_NAMING_CONSTRUCTED_H

#include "naming/holder.h"

/* The statement assigns a block to the local variable *h. If the function returns a new object of a
 * class to which it passes the variable, as in "return Graph(e, n);" or "return { e, n };", sets *h
 * to the class and the member that gets the variable, and *way to how the caller can access it. The
 * file must define the constructor or, if there is none and the values are in braces, the class.
 * Otherwise returns false, with both unchanged.
 *
 * is_copied: the variable is a container of C++, so only std::move() keeps the block. `function` is
 * the name of the function in the debug information. */
bool constructed_at(struct holder *h, const struct statement *st, const char *function,
		    bool is_copied, struct holder_way *way);

#endif

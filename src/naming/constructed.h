/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the member of a returned object that gets a block: "Graph.edges" for the local variable e
 * in "return Graph(e, n);". */
#ifndef MEMDB_NAMING_CONSTRUCTED_H
#define MEMDB_NAMING_CONSTRUCTED_H

#include "naming/holder.h"
#include "naming/naming.h"

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

/* The constructor way->callee stored a block in the member *h of a new object. If the statement
 * returns this object, as in "return Graph(n);", "return new Graph(n);" or "return
 * std::make_unique<Graph>(n);", puts its class before the member, and sets *way to how the caller
 * can access it. Otherwise returns false, with both unchanged. `function` is the name of the
 * statement's function in the debug information. */
bool returned_object(struct holder *h, const struct statement *st, const char *function,
		     struct holder_way *way);

/* Returns the name of a member with its class before it, "Graph.edges". `method` is a method of the
 * class. NULL means out of memory. */
const char *class_member(const struct naming *n, const struct method *method, const char *member);

#endif

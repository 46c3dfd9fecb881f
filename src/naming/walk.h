/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MEMDB_NAMING_WALK_H
#define MEMDB_NAMING_WALK_H

#include "naming/naming.h"

/*
 * Names the object of an allocation by its call path, from malloc outward.
 *
 * The first frame of the program itself shows to which expression the block goes. Where that
 * belongs to the function (a local variable that stays there, a static one) the search ends. Else
 * the block is the caller's: what the function returns, stores through a parameter, or in a member
 * of the object whose method it is. Then the expression is put into the caller's words, as far as
 * the source shows it, and the search goes on there. A frame without an expression names the object
 * by function and line, unless it too passes the block on.
 */
void walk_path(const struct naming *n, const struct object *x, struct object_origin *o);

/* Of a name of several objects, "u|v|w", which one statement of Fortran allocates at a line, that
 * of x; all where it is not known which. NULL when out of memory. */
const char *one_of_several(const struct naming *n, const struct object *x,
			   const struct sym_line *line, const char *names);

#endif

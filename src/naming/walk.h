/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MEMDB_NAMING_WALK_H
#define MEMDB_NAMING_WALK_H

#include "naming/holder.h"
#include "naming/source_frames.h"

/*
 * Names an object after the source text along the call path of its allocation, from malloc
 * outwards. Sets o->name, NULL if out of memory, and what it finds of the other members of *o.
 *
 * The first frame of the program itself shows the expression to which the block is assigned. If the
 * expression belongs to the function (a local variable that is not passed on, a static variable),
 * the search ends. Otherwise the caller gets the block: the function returns it, stores it through
 * a parameter, or stores it in a member of the object whose method it is. Then the expression is
 * translated to the caller's variables (holder.h), as far as the source shows it, and the search
 * continues there. If a frame shows no such expression, the object is named after the frame's
 * function and line. But if that function seems to pass the block on, the search continues in its
 * caller. The object's place is the first of these frames that is outside of wrappers and of
 * containers, also of those that the program defines.
 */
void walk_path(const struct naming *n, const struct object *x, struct object_origin *o);

/* Selects the name of object x from "u|v|w", the names of the objects that one source line
 * allocates in this order: a Fortran statement, or a constructor. `f` is the frame of that line,
 * the innermost one of the program itself. Returns NULL if it is unknown which of them is the name
 * of x, or when out of memory. */
const char *one_of_several(const struct naming *n, const struct object *x, const struct frame *f,
			   const char *names);

/* Does the line of f, as in one_of_several(), allocate other objects, too, for the same caller? */
bool has_others_on_line(const struct naming *n, const struct object *x, const struct frame *f);

/* Is object x the first one that the line of f allocates for the same caller? */
bool is_first_on_line(const struct naming *n, const struct object *x, const struct frame *f);

/* Sets *out to the expression to which the block is assigned if *st is the statement of frame f.
 * Returns false if the statement does not show it. */
typedef bool try_statement_fn(const void *walk, const struct frame *f, const struct statement *st,
			      struct holder *out);

/* *st is a macro call that contains several statements (expanded.h), and frame f is in their
 * function. Sets *st to the statement that called `callee`. If the statements give object x
 * different names, the sizes of their types decide, else the order of the allocations. Returns
 * false, with *st unchanged, if it is unknown which one is right. `walk` is passed to `try`. */
bool one_statement(const struct naming *n, const struct object *x, const struct frame *f,
		   const char *callee, try_statement_fn *try, const void *walk,
		   struct statement *st);

/* Frame f is in a generated function (is_generated()). Returns the member for which it called
 * `callee`, which allocated object x; NULL if that is unknown. */
const char *called_member(const struct naming *n, const struct object *x, const struct frame *f,
			  const struct statement *st, const char *callee);

/* Frame f is in a constructor, which called `callee`. Returns the member to which the definition of
 * the class gives object x as its value; NULL if there is none, or if it is unknown. */
const char *valued_member(const struct naming *n, const struct object *x, const struct frame *f,
			  const struct statement *st, const char *callee);

/* If the name begins with the variables of a structured binding, such as "[low,high].data", returns
 * it with the one that belongs to object x, as in "low.data"; if that is unknown, with all of them:
 * "low|high.data". Returns any other name unchanged, and NULL when out of memory. */
const char *bound_name(const struct naming *n, const struct object *x, const char *name);

#endif

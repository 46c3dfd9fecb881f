/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MEMDB_NAMING_TYPE_H
#define MEMDB_NAMING_TYPE_H

#include "naming/frames.h"
#include "naming/source.h"

/*
 * The type of the elements of a heap object, from the signs along its call path. The first one that
 * fits counts, and at a frame the strongest: what a container's allocator is made for, "new T",
 * sizeof, a cast, the pointer that the block is assigned to. A type fits if the blocks have room
 * for it. Nothing is asked for an object without samples and faults.
 */

/* Of an allocator's frame. */
void type_by_allocator(const struct naming *n, const struct object *x, const struct frame *f,
		       struct object_origin *o);

/* Of the statement that the block comes to. */
void type_by_statement(const struct naming *n, const struct object *x, const struct frame *f,
		       const struct statement *st, struct object_origin *o);

/* Of the expression that holds the block there. */
void type_by_holder(const struct naming *n, const struct object *x, const struct frame *f,
		    const char *expression, struct object_origin *o);

/* Takes a type that the blocks have room for. False: they have not. */
bool type_set(const struct object *x, const struct sym_type *t, const char *source,
	      struct object_origin *o);

/* Is it a number of one byte? It may stand for anything that a better sign tells; NULL is none. */
bool type_is_byte(const struct sym_type *t);

/* Of a static or local variable, as it is declared. */
void type_by_declaration(const struct naming *n, const struct object *x, struct object_origin *o);

#endif

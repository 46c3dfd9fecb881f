/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MEMDB_NAMING_TYPE_H
#define MEMDB_NAMING_TYPE_H

#include "naming/frames.h"
#include "naming/source.h"

/*
 * Finds the type of the elements of a heap object from signs along its call path. The first sign
 * that fits counts, and at one frame the strongest: the type of a container's allocator, "new T",
 * sizeof, a cast, the pointer that the block is assigned to. A type fits if the blocks have room
 * for it. Objects without samples and faults get no type.
 */

/* Sets the type by an allocator's frame. */
void type_by_allocator(const struct naming *n, const struct object *x, const struct frame *f,
		       struct object_origin *o);

/* Sets the type by the statement that gets the block. */
void type_by_statement(const struct naming *n, const struct object *x, const struct frame *f,
		       const struct statement *st, struct object_origin *o);

/* Sets the type by the expression that holds the block at the frame. */
void type_by_holder(const struct naming *n, const struct object *x, const struct frame *f,
		    const char *expression, struct object_origin *o);

/* Sets a type if the blocks have room for it. Returns false if they do not. */
bool type_set(const struct object *x, const struct sym_type *t, const char *source,
	      struct object_origin *o);

/* Is this a number of one byte? Then a better sign may replace it. False for NULL. */
bool type_is_byte(const struct sym_type *t);

/* Sets the type of a static or local variable by its declaration. */
void type_by_declaration(const struct naming *n, const struct object *x, struct object_origin *o);

#endif

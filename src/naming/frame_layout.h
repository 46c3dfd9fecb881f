/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MEMDB_NAMING_FRAME_LAYOUT_H
#define MEMDB_NAMING_FRAME_LAYOUT_H

#include "naming/naming.h"

/*
 * Sets the type of an object that is the frame of a function. The type has the name o->name, and
 * its members are the parts of the frame: the return address, saved registers, and local variables
 * of more than 16 bytes. The rest is called "temporaries": values that the compiler keeps in
 * memory, such as spilled registers, and arguments of calls. Sets no type if the size of the frame
 * or the place of a variable is not known, or if the object has neither samples nor page faults.
 */
void type_of_frame(const struct naming *n, const struct object *x, struct object_origin *o);

#endif

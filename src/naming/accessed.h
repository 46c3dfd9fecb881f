/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MEMDB_NAMING_ACCESSED_H
#define MEMDB_NAMING_ACCESSED_H

#include "naming/naming.h"

/*
 * Sets in *o the type of a heap object's elements, if its allocation does not show it. The sampled
 * instructions accessed the object through pointers. Each votes for the type to which its pointer
 * points, with as many votes as it has samples. It has no vote if its samples are not at multiples
 * of the type's size, or if the type is a byte. The type with the most votes is set if it has three
 * quarters of them.
 */
void type_by_accesses(const struct naming *n, uint32_t object, struct object_origin *o);

#endif

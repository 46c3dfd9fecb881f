/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MEMDB_NAMING_ACCESSED_H
#define MEMDB_NAMING_ACCESSED_H

#include "naming/naming.h"

/*
 * Finds the type of the elements of a heap object if its allocation does not show it. The sampled
 * instructions accessed the object through pointers, and the type to which a pointer points is a
 * vote with as many samples. A pointer does not count if its samples show that it does not point to
 * an element, nor does a pointer to bytes. A type needs three quarters of the counted samples;
 * otherwise *o does not change.
 */
void type_by_accesses(const struct naming *n, uint32_t object, struct object_origin *o);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MEMDB_NAMING_ACCESSED_H
#define MEMDB_NAMING_ACCESSED_H

#include "naming/naming.h"

/*
 * Finds the type of the elements of a heap object if its allocation does not show it. The sampled
 * instructions accessed the object through pointers. Each votes for the type to which its pointer
 * points, with as many votes as it has samples. It has no vote if its samples are not at multiples
 * of the type's size, or if the type is a byte. The winner needs three quarters of the votes;
 * otherwise *o does not change.
 */
void type_by_accesses(const struct naming *n, uint32_t object, struct object_origin *o);

#endif

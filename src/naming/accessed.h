/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MEMDB_NAMING_ACCESSED_H
#define MEMDB_NAMING_ACCESSED_H

#include "naming/naming.h"

/*
 * Finds the type of the elements of a heap object whose allocation does not show it: the type that
 * the pointers point at by which samples accessed the object. Pointers that do not point at an
 * element, according to the places of their samples, do not count, nor do pointers to bytes. One
 * type must have three quarters of the counted samples. Otherwise *o does not change.
 */
void type_by_accesses(const struct naming *n, uint32_t object, struct object_origin *o);

#endif

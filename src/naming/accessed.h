/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MEMDB_NAMING_ACCESSED_H
#define MEMDB_NAMING_ACCESSED_H

#include "naming/naming.h"

/*
 * The type of the elements of a heap object that says nothing of it where it is allocated: what the
 * pointers point at by which samples accessed it. Those that point elsewhere than at an element, by
 * the places of their samples, do not count, nor do pointers to bytes. One type must have three
 * quarters of the samples that count.
 */
void type_by_accesses(const struct naming *n, uint32_t object, struct object_origin *o);

#endif

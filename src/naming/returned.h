/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds functions that return a part of a new block, such as the data after its head. */
#ifndef MEMDB_NAMING_RETURNED_H
#define MEMDB_NAMING_RETURNED_H

#include "naming/holder.h"
#include "naming/source_frames.h"

/* The function of frame *f assigns a block to the variable *h. Does it return a place in the block
 * that a member of the variable's struct gives: the member's address, or an array in the struct, as
 * in "return &v->first;", "return v->data;" and "return &v->data[1];"? A member that is a pointer
 * leads out of the block. The debug information must know the members. */
bool returns_inside(const struct naming *n, const struct frame *f, const struct statement *st,
		    const struct holder *h);

#endif

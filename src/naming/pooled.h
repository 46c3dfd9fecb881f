/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds pools: blocks that a function divides into elements, of which it keeps all but one. */
#ifndef MEMDB_NAMING_POOLED_H
#define MEMDB_NAMING_POOLED_H

#include "naming/holder.h"

/* The statement assigns a block to the local variable *h. If a loop passes all elements of the
 * block but the first to a function of the same file which stores them, as in "for (i = 1; i < n;
 * i++) recycle(pool, p + i);", and the function returns p, then the block is a pool, and p is only
 * its first element for the caller. But if the function also stores p elsewhere, that place has
 * the block. Sets *h to the place that stores the elements, "pool->unused", and *way to how the
 * caller can access it. Otherwise returns false, with both unchanged. `function` is the name of the
 * function in the debug information. */
bool pooled_at(struct holder *h, const struct statement *st, const char *function,
	       struct holder_way *way);

#endif

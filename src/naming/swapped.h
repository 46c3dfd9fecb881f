/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the object with which a function swaps a local variable. */
#ifndef MEMDB_NAMING_SWAPPED_H
#define MEMDB_NAMING_SWAPPED_H

#include "naming/holder.h"

/* *h is a member of a local variable, such as "temp.data". If a later statement of the function
 * swaps the variable with an object that outlives the function, as in "this->swap(temp);" or
 * "std::swap(grid, temp);", sets *h to the member of that object and *way to how the function's
 * caller can access it. Otherwise returns false, with both unchanged. `function` is the function's
 * name in debug information. */
bool swapped_at(struct holder *h, const struct statement *st, const char *function,
		struct holder_way *way);

/* The statement swaps a temporary with a variable, as in "std::vector<int>(n).swap(list);". Returns
 * the variable, or no_name. */
struct name swapped_temporary(const struct tokens *ts);

#endif

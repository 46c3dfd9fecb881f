/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Code may address an array from its end, as in "end[-i]", or from before its start, as in "a[i]"
 * for i from 1. Such an address is in the neighbour of the array. */
#ifndef MEMDB_IMPORT_BESIDE_H
#define MEMDB_IMPORT_BESIDE_H

#include "symbol/symbol.h"

/*
 * May the address be meant as the end of the variable, or as the element before it? `distance` is
 * that from the variable's start to the address, and the address is not in the variable. True only
 * if the variable is an array, or may contain one. May query the process that reads debug
 * information, which takes 10 us.
 */
bool beside_array(struct sym_file *file, const struct sym_local *v, int64_t distance);

/*
 * May the address, which is `before` bytes before the variable, be meant as an element of it with
 * any negative index, as in "a[i - 100]" or "a(i - 1, j - 1)"? True only if the variable is an
 * array, or may contain one, and has room for an element with that index. May query the process
 * that reads debug information, as beside_array().
 */
bool before_array(struct sym_file *file, const struct sym_local *v, uint64_t before);

#endif

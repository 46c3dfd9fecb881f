/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds blocks in which several arrays of different types begin. */
#ifndef MEMDB_NAMING_PARTED_H
#define MEMDB_NAMING_PARTED_H

#include "naming/holder.h"

/* The statement assigns a block to the variable *h. Does its function cast the block to one type
 * and a position after its begin to another one, as in "s->x = (double *)p; s->y = s->x + n; s->id
 * = (int *)(s->y + n);"? Then another array begins there. */
bool has_other_parts(const struct statement *st, const struct holder *h);

#endif

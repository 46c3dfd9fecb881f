/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What objects.c, where objects come from and go, and place.c, where they lie, share. */
#ifndef MEMDB_MODEL_INTERNAL_H
#define MEMDB_MODEL_INTERNAL_H

#include "model/objects.h"

/* Its id; 0 and o->nomem when out of memory. */
uint32_t object_new(struct objects *o, const struct object *x);

/* The object of a block that lives, or has just ended. */
static inline uint32_t object_of(const struct objects *o, enum object_kind kind,
				 const struct block *b)
{
	return o->of_path[kind == OBJECT_HEAP].at[b->call_path];
}

#endif

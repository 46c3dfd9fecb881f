/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files that make one module share. */
#ifndef MEMDB_MODEL_INTERNAL_H
#define MEMDB_MODEL_INTERNAL_H

#include "model/objects.h"

/* Of struct space, which process.c, mapping.c, stretch.c and location.c fill. */

static inline uint32_t nomem(struct space *s)
{
	s->nomem = true;
	return 0;
}

/* Mappings or images of the process change. */
static inline void forget_stretches(struct process *p)
{
	memset(p->recent, 0, sizeof(p->recent));
}

/* The child sees what the parent sees now. Its stack is its own at once: it grows without a record.
 */
void mappings_inherit(struct space *s, uint32_t parent, uint32_t child, uint64_t time);

/* Nothing is mapped any more. */
void mappings_end(struct space *s, uint32_t process, uint64_t time);

/* Of struct objects, where objects.c is how they come and go, and place.c where they lie. */

/* Its id; 0 and o->nomem when out of memory. */
uint32_t object_new(struct objects *o, const struct object *x);

/* The object of a block that lives, or has just ended. */
static inline uint32_t object_of(const struct objects *o, enum object_kind kind,
				 const struct block *b)
{
	return o->of_path[kind == OBJECT_HEAP].at[b->call_path];
}

#endif

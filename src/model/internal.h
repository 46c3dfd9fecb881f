/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files that make one module share. */
#ifndef MEMDB_MODEL_INTERNAL_H
#define MEMDB_MODEL_INTERNAL_H

#include "model/homes.h"
#include "model/objects.h"

/* Of struct code, which code.c and call_path.c fill. */

static inline uint32_t code_nomem(struct code *c)
{
	c->nomem = true;
	return 0;
}

/* Of struct space, which process.c, mapping.c, stretch.c and location.c fill. */

static inline uint32_t nomem(struct space *s)
{
	s->nomem = true;
	return 0;
}

/* Mappings or images of the process change. */
static inline void forget_stretches(struct process_memory *m)
{
	memset(m->recent, 0, sizeof(m->recent));
}

struct process_memory *memory_make(struct space *s, uint32_t process);

/* The child sees what the parent sees now: mappings and images, or blocks. */
void memory_inherit_mappings(struct space *s, uint32_t parent, uint32_t child);
void memory_inherit_blocks(struct space *s, uint32_t parent, uint32_t child);

/* The process has no blocks any more, and nobody is told; it sees nothing any more. */
void memory_drop_blocks(struct process *p);
void memory_release(struct process *p);

/* A child that looks gets a stack mapping of its own, as it grows without a record; parents: as
 * process_memory.stack_mapping. */
void mappings_adopt_stack(struct space *s, uint32_t child, uint32_t parents);

/* tls.c */
void tls_release(struct process_memory *m);

/* Nothing is mapped any more. */
void mappings_end(struct space *s, uint32_t process, uint64_t time);

/* Of struct homes, where homes.c is what is known of pages, and collapse.c how huge ones are made.
 */

/* Forgets the node and the size of a page in *home where khugepaged may have changed them. */
void collapse_doubt(const struct homes *h, uint32_t process, uint64_t address, uint64_t birth,
		    struct home *home);

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

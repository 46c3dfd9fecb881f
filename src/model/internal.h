/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Declarations shared by the files of one module. */
#ifndef MEMDB_MODEL_INTERNAL_H
#define MEMDB_MODEL_INTERNAL_H

#include "model/homes.h"
#include "model/objects.h"

/* struct code is filled by code.c and call_path.c. */

static inline uint32_t code_nomem(struct code *c)
{
	c->nomem = true;
	return 0;
}

/* struct space is filled by process.c, mapping.c, mapping_part.c and location.c. */

static inline uint32_t space_nomem(struct space *s)
{
	s->nomem = true;
	return 0;
}

/* Call whenever mappings or images of the process change. */
static inline void forget_parts(struct process_memory *m)
{
	memset(m->recent, 0, sizeof(m->recent));
}

struct process_memory *memory_make(struct space *s, uint32_t process);

/* The child inherits what the parent sees now: its mappings and images, or its blocks. */
void memory_inherit_mappings(struct space *s, uint32_t parent, uint32_t child);
void memory_inherit_blocks(struct space *s, uint32_t parent, uint32_t child);

/* Drop a process's blocks, or everything that it sees of memory, without reporting the ends. */
void memory_drop_blocks(struct process *p);
void memory_release(struct process *p);

/* Gives a child that is looked at a stack mapping of its own, because a stack grows without a
 * record. parents: as process_memory.stack_mapping. */
void mappings_adopt_stack(struct space *s, uint32_t child, uint32_t parents);

/* tls.c */
void tls_release(struct process_memory *m);

/* Ends all mappings of the process. */
void mappings_end(struct space *s, uint32_t process, uint64_t time);

/* struct homes: homes.c keeps what is known about pages, fault.c decides what page faults mean, and
 * collapse.c handles the making of huge pages. */

/* NULL if no special event was reported for the process. */
static inline const struct homes_process *homes_process(const struct homes *h, uint32_t process)
{
	return process && process <= h->processes.n ? AT_ID(h->processes, process) : NULL;
}

/* The fork that made the process; parent 0 if it was not forked, or the fork no longer matters. */
static inline struct homes_fork homes_fork_of(const struct homes *h, uint32_t process)
{
	return process && process <= h->forks.n ? AT_ID(h->forks, process)
						: (struct homes_fork){ 0 };
}

static inline uint64_t homes_page(const struct homes *h, uint64_t address)
{
	return address / h->page_bytes;
}

/* The process's own touch of the page, not an inherited one. */
const struct touch *homes_own_touch(const struct homes *h, uint32_t process, uint64_t address,
				    uint64_t page, uint64_t birth);

/* The look that covers the page now, or NULL. */
const struct look_span *homes_look_at(const struct homes *h, uint32_t process, uint64_t address,
				      uint64_t birth);

/* Clears the node and the size of a page in *home if khugepaged may have changed them. */
void collapse_doubt(const struct homes *h, uint32_t process, uint64_t address, uint64_t birth,
		    struct home *home);

/* struct objects: objects.c handles births and deaths, deferred.c decides which blocks are stored,
 * place.c looks up addresses. */

/* The id of the new object; 0 with o->nomem set when out of memory. */
uint32_t object_new(struct objects *o, const struct object *x);

/* The object of a block that is alive or has just ended. */
static inline uint32_t object_of(const struct objects *o, enum object_kind kind,
				 const struct block *b)
{
	return o->of_path[kind == OBJECT_HEAP].at[b->call_path];
}

/* The owner of the block ended it, and no part of it is left: counts it, and stores it if it
 * matters. Returns its place in o->deferred if its successor may refer to it; 0: not there. */
uint32_t block_ended(struct objects *o, struct ended_block *e);

/* realloc and mremap end a block and then begin its successor: remembers the end, at that place of
 * o->deferred, for that birth. */
void block_remember_end(struct objects *o, uint32_t process, const struct ended_block *end,
			uint32_t deferred);

/* Lets a new block refer to the one that it replaces, which no other block replaces. */
void block_take_previous(struct objects *o, uint32_t process, const struct birth *b,
			 struct block *block);

/* Decides that a block is stored. */
void block_keep(struct objects *o, struct block *b);

/* Stores an end that was deferred, once. Returns the allocations.id. */
uint32_t deferred_store(struct objects *o, uint32_t place);
/* Gives up a reference; 0 is fine. */
void deferred_release(struct objects *o, uint32_t place);
/* Gives up what the block refers to. */
void deferred_unlink(struct objects *o, struct block *b);

#endif

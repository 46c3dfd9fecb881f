/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions that are shared by the files of src/model, but not for other folders. */
#ifndef MEMDB_MODEL_INTERNAL_H
#define MEMDB_MODEL_INTERNAL_H

#include "model/homes.h"
#include "model/objects.h"

/* For code.c and call_path.c: sets c->nomem, because memory ran out. Returns 0, the id that means
 * failure. */

static inline uint32_t code_nomem(struct code *c)
{
	c->nomem = true;
	return 0;
}

/* For the files that implement struct space: sets s->nomem, because memory ran out. Returns 0. */

static inline uint32_t space_nomem(struct space *s)
{
	s->nomem = true;
	return 0;
}

/* Clears the cache m->recent of mapping parts (mapping_part.c). Must be called when a mapping or an
 * image of the process changes. */
static inline void forget_parts(struct process_memory *m)
{
	memset(m->recent, 0, sizeof(m->recent));
}

struct process_memory *memory_make(struct space *s, uint32_t process);

/* Let the child of a fork inherit the memory that its parent has now. memory_inherit_mappings()
 * does this for mappings and images, memory_inherit_blocks() for blocks. */
void memory_inherit_mappings(struct space *s, uint32_t parent, uint32_t child);
void memory_inherit_blocks(struct space *s, uint32_t parent, uint32_t child);

/* memory_drop_blocks() drops the blocks of a process. memory_release() frees all its memory
 * (blocks, mappings, images). Neither reports the ends of blocks. */
void memory_drop_blocks(struct process *p);
void memory_release(struct process *p);

/* Makes a stack mapping for the forked process `child`: parent and child grow their stacks
 * separately, and the kernel records no growth. `parents` is the parent's
 * process_memory.stack_mapping. */
void mappings_adopt_stack(struct space *s, uint32_t child, uint32_t parents);

/* Frees what tls.c stores about the thread-local data of a process. */
void tls_release(struct process_memory *m);

/* Ends all mappings of the process. */
void mappings_end(struct space *s, uint32_t process, uint64_t time);

/* The internals of struct homes: homes.c stores the facts about pages, fault.c decides what a page
 * fault means, moved_pages.c which pages a look finds elsewhere, and collapse.c handles huge pages
 * that the kernel makes. */

/* Returns the facts about a process in struct homes; NULL if nothing was reported about its
 * pages. */
static inline const struct homes_process *homes_process(const struct homes *h, uint32_t process)
{
	return process && process <= h->processes.n ? AT_ID(h->processes, process) : NULL;
}

/* Returns the facts about the forks of a process. Their `parent` is 0 if the process was not
 * forked, or if it no longer has pages of its parent. */
static inline struct homes_family homes_family_of(const struct homes *h, uint32_t process)
{
	return process && process <= h->families.n ? AT_ID(h->families, process)
						   : (struct homes_family){ 0 };
}

/* Has the process forked since this time? Then its children may have its pages, too. */
static inline bool homes_forked_since(const struct homes *h, uint32_t process, uint64_t time)
{
	const uint64_t last = homes_family_of(h, process).last_fork;

	return last && last >= time;
}

static inline uint64_t homes_page(const struct homes *h, uint64_t address)
{
	return address / h->page_bytes;
}

/* Returns the process's last touch (page fault) of a page that is still valid; NULL if there is
 * none. Touches by its ancestors do not count. */
const struct touch *homes_own_touch(const struct homes *h, uint32_t process, uint64_t address,
				    uint64_t page, uint64_t birth);

/* Returns the last look (query of the nodes of pages) that covers the page; NULL if there is none
 * since `birth`. */
const struct look_span *homes_look_at(const struct homes *h, uint32_t process, uint64_t address,
				      uint64_t birth);

/* Notes that a look at this time shows that these pages had left the nodes on which they were seen.
 * Unlike homes_move(), it is not known that the program wanted it. */
void homes_left(struct homes *h, uint32_t process, uint64_t start, uint64_t end, uint64_t time);

/* Compares a look that is not yet added with what is known, and calls h->changed for the pages that
 * have moved. Where it does not show the nodes of pages that may have moved, forgets them. */
void homes_compare(struct homes *h, uint32_t process, const struct look_asked *look);

/* If the kernel's thread khugepaged may have made the page part of a huge page, makes the size of
 * *home unknown, and also its node if the huge page may be on another node. */
void collapse_doubt(const struct homes *h, uint32_t process, uint64_t address, uint64_t birth,
		    struct home *home);

/* The internals of struct objects: objects.c handles births and deaths of blocks, object_table.c
 * has the objects, deferred.c decides which blocks are stored, place.c looks up addresses. */

/* Adds an object. Returns its id; 0 with o->nomem set when out of memory. */
uint32_t object_new(struct objects *o, const struct object *x);

/* Finds or adds the object to which the new block *b belongs: the object of its call path or, for a
 * mapping of a file, an object of that file (see object_table.c). Returns the object's id; 0 with
 * o->nomem set when out of memory. */
uint32_t object_for(struct objects *o, enum object_kind kind, uint32_t process,
		    const struct birth *b);

/* Stores the object to which block `id` (allocations.id) belongs, for a block that maps a
 * file: its call path does not determine the object. `id` must be greater than those stored before.
 * Returns false when out of memory. object_noted() returns the object. */
bool object_note(struct objects *o, uint32_t id, uint32_t object);
uint32_t object_noted(const struct objects *o, uint32_t id);

/* Returns the object of a block that is alive or whose end is being handled. */
static inline uint32_t object_of(const struct objects *o, enum object_kind kind,
				 const struct block *b)
{
	return b->of_file ? object_noted(o, b->id)
			  : o->of_path[kind == OBJECT_HEAP].at[b->call_path];
}

/* Handles the end of a block in the process that owns it: counts the block, and stores it if the
 * rules in deferred.c require that. If the end is deferred, because a block that replaces this one
 * may refer to it, returns the position + 1 in o->deferred; otherwise 0. */
uint32_t block_ended(struct objects *o, struct ended_block *e);

/* Remembers `end` as the last end of a block in its thread. If it is an end by realloc or mremap,
 * the birth of the block that replaces the ended one follows. `deferred` is the position + 1 of the
 * end in o->deferred, or 0. */
void block_remember_end(struct objects *o, uint32_t process, const struct ended_block *end,
			uint32_t deferred);

/* If `b` replaces a block (realloc, mremap), makes the new `block` refer to the replaced one, and
 * forgets the remembered end. */
void block_take_previous(struct objects *o, uint32_t process, const struct birth *b,
			 struct block *block);

/* Marks a block to be stored: when it ends, or at once if it has ended already (its end is
 * deferred). */
void block_keep(struct objects *o, struct block *b);

/* Drops the block's reference to a deferred end (deferred.c), if it has one. */
void deferred_unlink(struct objects *o, struct block *b);

#endif

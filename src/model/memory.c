/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Creates the maps of a process's memory when they are first needed. In a run that forks often (a
 * shell script, a build) most processes are never sampled. So at first a child has only two
 * pointers to snapshots of its parent's maps. If the parent does not change its memory between two
 * forks, both children share the snapshots. A snapshot never changes: it has references to the
 * nodes of its maps, so the parent copies a node before changing it. */
#include "model/internal.h"

/* Two maps of a parent process as they were at a fork: mappings and images, or blocks and tracked
 * mappings. Its children share this snapshot; a child gets maps of its own when it needs them. */
struct inherited {
	uint32_t refs;  /* number of forked processes that have no maps of their own yet */
	uint32_t stack; /* the parent's process_memory.stack_mapping */
	/* the member of the parent that points to this snapshot, by which the parent's next child
	 * can share it; NULL if the parent has made a newer snapshot, or if its maps have been
	 * freed */
	struct inherited **current;
	struct rangemap first, second;
};

/* Are the maps the same as in the snapshot i? A change of a map copies its root, because the
 * snapshot has a reference to the old one. So equal roots mean equal maps. */
static bool same_maps(const struct inherited *i, const struct rangemap *first,
		      const struct rangemap *second, uint32_t stack)
{
	return i->first.root == first->root && i->second.root == second->root && i->stack == stack;
}

/* Returns the snapshot for a child that is forked now, and adds a reference: *current, if the maps
 * have not changed since it was made, otherwise a new one. NULL means that the maps are empty, or
 * out of memory. */
static struct inherited *take_snapshot(struct space *s, struct inherited **current,
				       const struct rangemap *first, const struct rangemap *second,
				       uint32_t stack)
{
	struct inherited *i = *current;

	if (rangemap_empty(first) && rangemap_empty(second))
		return NULL;
	if (i && same_maps(i, first, second, stack)) {
		i->refs++;
		return i;
	}
	if (i)
		i->current = NULL;
	*current = i = calloc(1, sizeof(*i));
	if (!i) {
		space_nomem(s);
		return NULL;
	}
	i->refs = 1;
	i->stack = stack;
	i->current = current;
	rangemap_share(&i->first, first);
	rangemap_share(&i->second, second);
	return i;
}

/* Adds a reference to a snapshot and returns it. i may be NULL. */
static struct inherited *share_snapshot(struct inherited *i)
{
	if (i)
		i->refs++;
	return i;
}

/* Drops a reference to the snapshot *at and sets *at to NULL. The last reference frees the snapshot
 * and clears the parent's pointer to it. */
static void drop_snapshot(struct inherited **at)
{
	struct inherited *i = *at;

	*at = NULL;
	if (!i || --i->refs)
		return;
	if (i->current)
		*i->current = NULL;
	rangemap_release(&i->first);
	rangemap_release(&i->second);
	free(i);
}

/* If the process has no maps of mappings and images yet, copies those of its snapshot
 * (p->mappings). Drops the snapshot. */
static void adopt_mappings(struct space *s, uint32_t process)
{
	struct process *p = space_process(s, process);
	struct process_memory *m = p->memory;
	struct inherited *i = p->mappings;

	if (i && rangemap_empty(&m->mappings)) {
		rangemap_share(&m->mappings, &i->first);
		rangemap_share(&m->images, &i->second);
		mappings_adopt_stack(s, process, i->stack);
	}
	drop_snapshot(&space_process(s, process)->mappings);
}

/* If the process has no maps of blocks and tracked mappings yet, copies those of its snapshot
 * (p->blocks). Drops the snapshot. */
static void adopt_blocks(struct process *p)
{
	struct process_memory *m = p->memory;
	struct inherited *i = p->blocks;

	if (i && rangemap_empty(&m->blocks))
		rangemap_share(&m->blocks, &i->first);
	if (i && rangemap_empty(&m->tracked_maps))
		rangemap_share(&m->tracked_maps, &i->second);
	drop_snapshot(&p->blocks);
}

/* Creates the memory maps of a process. Never returns NULL: when out of memory, it returns
 * s->no_memory, an empty struct that all such processes share. */
struct process_memory *memory_make(struct space *s, uint32_t process)
{
	struct process *p = space_process(s, process);
	struct process_memory *m = calloc(1, sizeof(*m));

	/* builds and scripts execute many thousand programs, and each gets such a struct */
	_Static_assert(sizeof(*m) <= 512, "a process takes too much memory");
	if (!m) {
		space_nomem(s);
		return &s->no_memory;
	}
	m->mappings.owner = m->images.owner = m->blocks.owner = m->tracked_maps.owner = process;
	m->blocks.hinted = true;
	p->memory = m;
	adopt_mappings(s, process);
	adopt_blocks(p);
	return m;
}

/* Copies no map: the child gets a snapshot of the parent's maps. */
void memory_inherit_mappings(struct space *s, uint32_t parent, uint32_t child)
{
	struct process *from = space_process(s, parent), *to = space_process(s, child);
	struct process_memory *m = from->memory;

	drop_snapshot(&to->mappings);
	to->mappings =
		m ? take_snapshot(s, &m->left_mappings, &m->mappings, &m->images, m->stack_mapping)
		  : share_snapshot(from->mappings);
	if (m)
		m->shared_mappings = s->mappings.n;
	if (to->memory)
		adopt_mappings(s, child);
}

/* Like memory_inherit_mappings(), for blocks. Does nothing if the child already has a snapshot of
 * blocks. */
void memory_inherit_blocks(struct space *s, uint32_t parent, uint32_t child)
{
	struct process *from = space_process(s, parent), *to = space_process(s, child);
	struct process_memory *m = from->memory;

	if (to->blocks)
		return;
	to->blocks = m ? take_snapshot(s, &m->left_blocks, &m->blocks, &m->tracked_maps, 0)
		       : share_snapshot(from->blocks);
	if (to->memory)
		adopt_blocks(to);
}

/* Drops the blocks of a process, its own and inherited ones, without reporting their ends. */
void memory_drop_blocks(struct process *p)
{
	struct process_memory *m = p->memory;

	drop_snapshot(&p->blocks);
	if (!m)
		return;
	rangemap_release(&m->blocks);
	rangemap_release(&m->tracked_maps);
}

/* Called when the parent's maps are freed: its children keep their snapshot i, but no further child
 * can share it. */
static void forget_current(struct inherited *i)
{
	if (i)
		i->current = NULL;
}

/* Frees the memory maps of a process. Its entry in space.processes remains. */
void memory_release(struct process *p)
{
	struct process_memory *m = p->memory;

	memory_drop_blocks(p);
	drop_snapshot(&p->mappings);
	if (!m)
		return;
	rangemap_release(&m->mappings);
	rangemap_release(&m->images);
	forget_current(m->left_mappings);
	forget_current(m->left_blocks);
	tls_release(m);
	free(m);
	p->memory = NULL;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where pages live: asked before they go away. */
#ifndef MEMDB_PRELOAD_POLICY_H
#define MEMDB_PRELOAD_POLICY_H

#include "real.h"
#include "tracker.h"

/* Whether homes can differ: reads how many nodes are online. Once per image. */
bool homes_matter(void);

/* Records the homes of some pages of a range that is about to go, if it is large. */
void homes_record(struct thread *t, uint64_t address, uint64_t size);

static inline void homes_of_range(uint64_t address, uint64_t size)
{
	struct thread *t;

	if (likely(!image.homes_size) || size < image.homes_size)
		return;
	t = thread_get();
	if (t)
		homes_record(t, address, size);
}

static inline void homes_before_death(struct thread *t, void *p)
{
	size_t size;

	if (likely(!image.homes_size) || !real.malloc_usable_size)
		return;
	size = real.malloc_usable_size(p);
	if (size >= image.homes_size)
		homes_record(t, (uint64_t)(uintptr_t)p, size);
}

#endif

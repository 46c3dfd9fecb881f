/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the pages of large blocks live: asked before they go away, when the program has moved them,
 * and at its end. Large blocks are those from image.homes_size on (UINT64_MAX: none are).
 *
 * move_pages(2) says -ENOENT of pages that are not there, and on some kernels (6.1) also of those
 * that NUMA balancing has marked for a hint fault: the home told before holds.
 */
#ifndef MEMDB_PRELOAD_HOMES_H
#define MEMDB_PRELOAD_HOMES_H

#include "real.h"
#include "tracker.h"

/* Sets image.homes_size: reads how many nodes are online. Once per image. */
void homes_init(const char *options);

uint64_t homes_page_bytes(void);

/* Records the homes of some pages of a range, asked now. */
void homes_record(struct thread *t, uint64_t address, uint64_t size);

/* Records the homes (or negative errnos) of n pages that the kernel has told. */
void homes_record_known(struct thread *t, uint64_t address, const int *nodes, uint64_t n);

/* Records the homes of all large blocks that live. */
void homes_record_all(struct thread *t);

void homes_born_large(const void *p, uint64_t size);
bool homes_gone_large(const void *p); /* whether it was one */

static inline bool homes_is_large(uint64_t size)
{
	return unlikely(size >= image.homes_size);
}

/* A block or mapping begins. */
static inline __attribute__((always_inline)) void homes_born(const void *p, uint64_t size)
{
	if (homes_is_large(size))
		homes_born_large(p, size);
}

/* A mapping is about to be unmapped or moved: before that, as another thread may be given its
 * addresses right behind. Whether it was one that has to be put back where the call fails. */
static inline bool homes_leave(const void *p, uint64_t size)
{
	return homes_is_large(size) && homes_gone_large(p);
}

/* A range of pages is about to go. */
static inline void homes_before_unmap(struct thread *t, const void *p, uint64_t size)
{
	if (t && homes_is_large(size))
		homes_record(t, (uint64_t)(uintptr_t)p, size);
}

/* A block is about to go. */
static inline __attribute__((always_inline)) void homes_before_death(struct thread *t, void *p)
{
	size_t size;

	if (likely(image.homes_size == UINT64_MAX) || !real.malloc_usable_size)
		return;
	size = real.malloc_usable_size(p);
	if (!homes_is_large(size))
		return;
	homes_record(t, (uint64_t)(uintptr_t)p, size);
	homes_gone_large(p);
}

#endif

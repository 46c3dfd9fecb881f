/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the home nodes of the pages of large blocks: the NUMA nodes on which the pages are. The
 * nodes are looked up before a block is freed or a mapping is unmapped, after the program has moved
 * or collapsed pages, and at the end of the image. A block is large if it has at least
 * image.homes_size bytes (`image` is the state of this process, tracker.h). If homes_size is
 * UINT64_MAX, no block is large.
 *
 * move_pages(2) returns -ENOENT for pages that are not present. Some kernels (6.1) return it also
 * for pages that NUMA balancing has marked for a hint fault. So -ENOENT in the log does not mean
 * that a page has left its node: the node that was recorded before stays valid.
 */
#ifndef MEMDB_PRELOAD_HOMES_H
#define MEMDB_PRELOAD_HOMES_H

#include "real.h"
#include "tracker.h"

/* Sets image.homes_size, which depends on the options and, without the option `homes`, on whether
 * several nodes are online. Must be called once in each image (program). */
void homes_init(const char *options);

uint64_t homes_page_bytes(void);

/* Looks up and records the home nodes of up to 32 pages, evenly spread over a range. pid is the
 * process whose pages they are; 0 means this one. */
void homes_record(struct thread *t, uint32_t pid, uint64_t address, uint64_t size);

/* Records the home nodes of n pages of process pid (0: this one), the first of them at `address`.
 * `nodes` is the array that move_pages() has filled: for each page its node, or a negative errno.
 */
void homes_record_known(struct thread *t, uint32_t pid, uint64_t address, const int *nodes,
			uint64_t n);

/* Records the home nodes of all live large blocks. */
void homes_record_all(struct thread *t);

void homes_born_large(const void *p, uint64_t size);
bool homes_gone_large(const void *p); /* returns whether it was a large block */

static inline bool homes_is_large(uint64_t size)
{
	return unlikely(size >= image.homes_size);
}

/* Called when a block or a mapping has been allocated. If it is large, adds it to the set of large
 * blocks. */
static inline __attribute__((always_inline)) void homes_born(const void *p, uint64_t size)
{
	if (homes_is_large(size))
		homes_born_large(p, size);
}

/* Removes a mapping from the set of large blocks. Must be called before the mapping is unmapped or
 * moved: otherwise another thread might get the same addresses and add them first. Returns whether
 * the mapping must be added again if the call fails. */
static inline bool homes_leave(const void *p, uint64_t size)
{
	return homes_is_large(size) && homes_gone_large(p);
}

/* Called before a mapping is unmapped. If the mapping is large, records the home nodes of its
 * pages. */
static inline void homes_before_unmap(struct thread *t, const void *p, uint64_t size)
{
	if (t && homes_is_large(size))
		homes_record(t, 0, (uint64_t)(uintptr_t)p, size);
}

/* Called before a block is freed. If the block is large, records the home nodes of its pages, and
 * removes it from the set of large blocks. */
static inline __attribute__((always_inline)) void homes_before_death(struct thread *t, void *p)
{
	size_t size;

	if (likely(image.homes_size == UINT64_MAX) || !real.malloc_usable_size)
		return;
	size = real.malloc_usable_size(p);
	if (!homes_is_large(size))
		return;
	homes_record(t, 0, (uint64_t)(uintptr_t)p, size);
	homes_gone_large(p);
}

#endif

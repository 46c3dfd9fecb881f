/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the pages of large blocks live. Looked up before a block is freed, after the program moved
 * its pages, and at the end of the program. Large blocks have at least image.homes_size bytes
 * (UINT64_MAX: none do).
 *
 * move_pages(2) returns -ENOENT for pages that are not present. Some kernels (6.1) also do so for
 * pages that NUMA balancing has marked for a hint fault; for these the home reported before stays
 * valid.
 */
#ifndef MEMDB_PRELOAD_HOMES_H
#define MEMDB_PRELOAD_HOMES_H

#include "real.h"
#include "tracker.h"

/* Sets image.homes_size, depending on the number of online nodes. Call once per image. */
void homes_init(const char *options);

uint64_t homes_page_bytes(void);

/* Looks up and records the homes of some pages of a range. */
void homes_record(struct thread *t, uint64_t address, uint64_t size);

/* Records the homes (or negative errnos) of n pages that the kernel has returned. */
void homes_record_known(struct thread *t, uint64_t address, const int *nodes, uint64_t n);

/* Records the homes of all live large blocks. */
void homes_record_all(struct thread *t);

void homes_born_large(const void *p, uint64_t size);
bool homes_gone_large(const void *p); /* returns whether it was a large block */

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

/* Call before a mapping is unmapped or moved, because another thread may get its addresses right
 * after that. Returns whether it must be put back if the call fails. */
static inline bool homes_leave(const void *p, uint64_t size)
{
	return homes_is_large(size) && homes_gone_large(p);
}

/* Call before a range of pages is unmapped. */
static inline void homes_before_unmap(struct thread *t, const void *p, uint64_t size)
{
	if (t && homes_is_large(size))
		homes_record(t, (uint64_t)(uintptr_t)p, size);
}

/* Call before a block is freed. */
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

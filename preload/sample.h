/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Samples one in N of the small blocks (option sample_small). At the birth of a block, chance
 * decides whether it is chosen, independently of other blocks. So the number of recorded blocks
 * multiplied by N is an unbiased estimate of the number of all blocks. A set contains the addresses
 * of the chosen blocks, so that their deaths are recognized. A block is small if
 * malloc_usable_size() is below the option sample_small_bytes; this size is known at its birth and
 * at its death. All other blocks are recorded.
 *
 * With the option thin, the recorder may raise N while the program runs (track_shared.every). Then
 * the set contains every recorded small block from the start, so that deaths of blocks that were
 * recorded before the change are still recognized.
 */
#ifndef MEMDB_PRELOAD_SAMPLE_H
#define MEMDB_PRELOAD_SAMPLE_H

#include "real.h"
#include "tracker.h"

/* Sets image.sample_every and image.sample_bytes. Must be called once in each image. */
void sample_init(const char *options);

/* Returns the number of blocks that the record of a new block represents: 0 if there is no record,
 * 1 if the block is not small. */
uint32_t sample_birth(struct thread *t, void *p);

/* Must be called before a block is freed. Removes the block from the set of chosen blocks. Returns
 * whether the block's birth was recorded. */
bool sample_death(void *p);

/* Undoes sample_death() for a block that was not freed, because a realloc failed: adds the block to
 * the set again if it was removed. Must be called only if sample_death() has returned true. */
void sample_undo(void *p);

/* Logs the birth of a block that represents `weight` blocks (weight > 1). `old` is the block that
 * it replaces by realloc, or NULL. */
void sample_log_birth(struct thread *t, uint64_t ticks, const void *p, uint64_t size,
		      enum tl_function fn, uint32_t stack, const void *old, uint32_t weight);

#endif

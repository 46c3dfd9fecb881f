/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Samples one in N of the small blocks (option sample_small). Each block is chosen at its birth by
 * chance, independently of all others, so counts multiplied by N are unbiased estimates. A set
 * holds the addresses of sampled blocks, and so identifies their deaths. A block is small if
 * malloc_usable_size(), which is known at both ends of its life, is below the option
 * sample_small_bytes. All other blocks are recorded.
 */
#ifndef MEMDB_PRELOAD_SAMPLE_H
#define MEMDB_PRELOAD_SAMPLE_H

#include "real.h"
#include "tracker.h"

/* Sets image.sample_every and image.sample_bytes. Call it once per image. */
void sample_init(const char *options);

/* Returns the number of blocks that the record of a new block stands for. 0: not recorded; 1: not a
 * small block. */
uint32_t sample_birth(struct thread *t, void *p);

/* Returns the same number for a block that is about to be freed, and removes the block from the
 * set. */
uint32_t sample_death(void *p);

/* Reverts a sample_death() that returned more than 1: the block lives on. */
void sample_undo(void *p);

/* Logs the birth of a block that stands for several. old: the block that it replaces by realloc, or
 * NULL. */
void sample_log_birth(struct thread *t, uint64_t ticks, const void *p, uint64_t size,
		      enum tl_function fn, uint32_t stack, const void *old);

#endif

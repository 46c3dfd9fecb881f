/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One in N of the small blocks (option sample_small): each is taken by chance at its birth,
 * whatever came before it, so what is counted times N is an estimate without bias. The addresses of
 * those that were taken are in a set, and that tells their deaths. Small is a block of which
 * malloc_usable_size() is below the option sample_small_bytes, as that is known at both ends of its
 * life; all others are recorded.
 */
#ifndef MEMDB_PRELOAD_SAMPLE_H
#define MEMDB_PRELOAD_SAMPLE_H

#include "real.h"
#include "tracker.h"

/* Sets image.sample_every and image.sample_bytes. Once per image. */
void sample_init(const char *options);

/* How many blocks the record of one that was just born stands for: 0 where it is not recorded, 1
 * for a large one. */
uint32_t sample_birth(struct thread *t, void *p);

/* The same of a block that is about to be freed; what was taken is given up. */
uint32_t sample_death(void *p);

/* Takes back a sample_death() that gave more than 1: the block lives on. */
void sample_undo(void *p);

/* The birth of a block that stands for several; old: the block that it replaces by realloc, or 0.
 */
void sample_log_birth(struct thread *t, uint64_t ticks, const void *p, uint64_t size,
		      enum tl_function fn, uint32_t stack, const void *old);

#endif

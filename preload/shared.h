/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The file that the logs of all images share (TRACK_SHARED): where each log begins, and where it
 * goes on until it has a file of its own, or when it cannot have one.
 *
 * To make a file is the dearest part of a small log, above all where many were deleted a moment
 * ago: ext4 looks at each of them before it makes another. Here a log costs an open, two mappings
 * and 8 KiB.
 *
 * The first page of the file stays mapped: slots and blocks are claimed there by one instruction.
 * What is claimed is mapped by a descriptor that is open for a moment; where none is available
 * (there are none left, the program has changed its rights or its root) by mremap() from what is
 * mapped already. So a log can grow without a descriptor and without a path.
 */
#ifndef MEMDB_PRELOAD_SHARED_H
#define MEMDB_PRELOAD_SHARED_H

#include <stdbool.h>
#include <stdint.h>

#include "track_format.h"

/*
 * Claims a slot, maps it, of a forked child where its parent's was, else near an address, and
 * copies the header there. The file is made where it is missing; path is kept. Returns the slot's
 * header, or NULL: there is no such file and it cannot be made (files may not grow as the program
 * likes), another image makes it in this moment, the disk is full, or pages are larger than slots.
 */
struct track_header *shared_open(const char *path, const struct track_header *start, uint64_t near);

/* 1 + the number of the slot, 0 where there is none. */
uint64_t shared_slot(void);

/* A chunk, backed by disk: first that of the slot, then those of the newest block; NULL where there
 * is none. */
struct track_chunk *shared_take(void);

/* Whether the newest block has chunks left. */
bool shared_has_room(void);

/* Adds a block to the log. One thread at a time. Whether there is one. */
bool shared_grow(void);

/* The program is about to forbid itself system calls: chunks of a block are set aside that can be
 * used without any. Whether there are such. */
bool shared_reserve(void);

/* The chunk of the slot, where pos is in it or at its end; else NULL. */
struct track_chunk *shared_slot_chunk_at(uint64_t pos);

/* In a forked child: what an interrupted frame of the parent may still write into the parent's
 * blocks goes nowhere; into its slot likewise, where the child has no slot of its own. */
void shared_forget_blocks(void);
void shared_forget_slot(void);

#endif

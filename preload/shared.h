/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The file that the logs of all images share (TRACK_SHARED). Each log begins there. It continues
 * there until it has a file of its own, or if it cannot have one.
 *
 * Creating a file is the most expensive part of a small log, especially just after many were
 * deleted: ext4 checks each of them before it creates another. In the shared file, a log costs one
 * open, two mappings and 8 KiB.
 *
 * The first page of the file stays mapped, and slots and blocks are claimed there by one
 * instruction. A claimed part is mapped through a descriptor that is open only for a moment. If no
 * descriptor is available (all are used, or the program has changed its rights or its root),
 * mremap() maps the part from an existing mapping. So a log can grow without a descriptor and
 * without a path.
 */
#ifndef MEMDB_PRELOAD_SHARED_H
#define MEMDB_PRELOAD_SHARED_H

#include <stdbool.h>
#include <stdint.h>

#include "track_format.h"

/*
 * Claims and maps a slot (in a forked child over its parent's, else near an address), and copies
 * the header there. Creates the file if it is missing; path is stored. Returns the slot's header,
 * or NULL: the file does not exist and cannot be created (file size limits), another image is
 * creating it right now, the disk is full, or pages are larger than slots.
 */
struct track_header *shared_open(const char *path, const struct track_header *start, uint64_t near);

/* Returns 1 + the number of the slot; 0 means none. */
uint64_t shared_slot(void);

/* Takes a chunk that is backed by disk: first that of the slot, then those of the newest block.
 * NULL if there is none. */
struct track_chunk *shared_take(void);

/* Does the newest block have unused chunks? */
bool shared_has_room(void);

/* Adds a block to the log. Returns false if that fails. One thread at a time. */
bool shared_grow(void);

/*
 * Backs chunks of a block with disk space, so that they can be used without system calls. Called
 * when the program is about to forbid itself system calls. Returns whether there are such chunks.
 */
bool shared_reserve(void);

/* Returns the slot's chunk if pos is in it or at its end; else NULL. */
struct track_chunk *shared_slot_chunk_at(uint64_t pos);

/* Replace the parent's blocks, or its slot, by anonymous memory in a forked child, because an
 * interrupted frame of the parent may still write there. The slot is replaced only if the child has
 * no slot of its own. */
void shared_forget_blocks(void);
void shared_forget_slot(void);

#endif

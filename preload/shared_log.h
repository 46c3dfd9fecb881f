/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The file that the logs of all images share (TRACK_SHARED). Each log begins there. It continues
 * there until it has a file of its own; if it cannot have one, it stays there.
 *
 * Creating a file is the most expensive part of a small log, especially just after many files were
 * deleted: ext4 checks each deleted file before it creates a new one. In the shared file, a log
 * costs one open() of an existing file, two mappings and 8 KiB.
 *
 * The first page of the file stays mapped. It contains a counter; slots and blocks are claimed by
 * adding to it in one instruction. A claimed part is mapped through a descriptor that is open only
 * for a moment. If no descriptor is available, because all are in use or because the program has
 * changed its rights or its root, mremap() maps the part from an existing mapping. So a log can
 * grow without a descriptor and without a path.
 */
#ifndef MEMDB_PRELOAD_SHARED_LOG_H
#define MEMDB_PRELOAD_SHARED_LOG_H

#include <stdbool.h>
#include <stdint.h>

#include "track_format.h"

/*
 * Claims and maps a slot, and copies the header there. In a forked child the slot replaces the
 * mapping of the parent's slot; otherwise it is mapped near the address `near`. Creates the file if
 * it is missing. Stores the pointer `path`, so the text must stay valid. Returns the slot's header.
 * Returns NULL if the file cannot be opened, created (file size limits) or mapped, if another image
 * is creating it right now, if the file or the disk is full, if the recorder has closed the logs,
 * if the program has overwritten the first page, if pages are larger than slots, or if the file
 * belongs to another recording.
 */
struct track_header *shared_open(const char *path, uint64_t recording,
				 const struct track_header *start, uint64_t near);

/* Does the file at the path of shared_open() belong to another recording? Then no file may be
 * created in its folder: the recording of this image may have ended, and its folder may have been
 * replaced. */
bool shared_foreign(void);

/* Claims a range of the file and maps it, in place of the earlier range at *at, or anywhere if *at
 * is 0. `bytes` is a multiple of TRACK_CHUNK. Sets *at to the address. The range has no disk space
 * yet. Returns its offset in the file; 0 if it cannot be claimed or mapped. The image must have a
 * slot. */
uint64_t shared_map_range(uint64_t *at, uint64_t bytes);

/* Returns the number of this image's slot in the file, plus 1; 0 means that it has no slot. */
uint64_t shared_slot(void);

/* Claims a chunk that has disk space: first the slot's chunk, then chunks of the newest block. NULL
 * means that there is none. */
struct track_chunk *shared_take(void);

/* Has the recorder closed the logs (track_shared.closed)? */
bool shared_closed(void);

/* Returns track_shared.every, at most TRACK_SAMPLE_MOST; 0 if there is no file. */
uint32_t shared_every(void);

/* Does the newest block have unused chunks? */
bool shared_has_room(void);

/* Adds a block to the log. Returns false if that fails. Only one thread at a time may call it. */
bool shared_grow(void);

/*
 * Allocates disk space for the next chunks of the newest block, so that using them needs no system
 * calls. Called before the program forbids itself system calls. Returns whether there are such
 * chunks.
 */
bool shared_reserve(void);

/* Returns the chunk in this image's slot if the address pos is in it or at its end; otherwise NULL.
 */
struct track_chunk *shared_slot_chunk_at(uint64_t pos);

/* For a forked child: replace the mappings of the parent's blocks, or of its slot, with anonymous
 * memory. A signal handler may have forked in the middle of a write to the log; when that write
 * continues in the child, it must not change the parent's log. shared_forget_slot() must be called
 * only if the child has no slot of its own. */
void shared_forget_blocks(void);
void shared_forget_slot(void);

#endif

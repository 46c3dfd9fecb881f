/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The log's file in memory.
 *
 * The file is made as long as the log may ever be, sparse, and mapped in windows of 1 GiB; its
 * descriptor is closed at once. A chunk gets its disk blocks by MADV_POPULATE_WRITE before
 * anything is written to it: on a full disk that fails, where a plain store would be a SIGBUS.
 * Kernels before 5.14 do not know it; there the file is opened again for a moment for fallocate().
 * A further window comes from the mapping of the one before, half a window ahead of its use.
 */
#ifndef MEMDB_PRELOAD_WINDOW_H
#define MEMDB_PRELOAD_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

/* Once per image: how much address space a window may take. */
void window_init(void);

/*
 * Makes the empty file of a new log as long as it may become (*capacity), and maps its beginning;
 * of a forked child (inherited) where its parent's was. Returns the address, from where
 * TRACK_HEADER_BYTES of zeros are backed by disk; NULL where that is not possible. path is kept.
 */
void *window_open(long fd, const char *path, bool inherited, uint64_t *capacity);

/* In a forked child: unmaps all of the parent's log but its first window. */
void window_forget(void);

/* The chunk at a multiple of TRACK_CHUNK, mapped and backed by disk; NULL when it cannot be had. */
void *window_chunk(uint64_t offset);

/* Gives up address space that is mapped for the log's growth, before the program limits or locks
 * its memory. */
void window_trim(void);

/* The program is about to forbid itself system calls: sets some of the log aside that can be used
 * without any. There is a log. */
void window_reserve(void);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The log's own file in memory.
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

/* Which file it is. */
struct file_id {
	uint64_t dev, ino;
	uint64_t bytes; /* its length when it was identified */
};

/* One thread at a time: which file is open there; whether it is this one. Other threads may close
 * descriptors that they do not know, and use the number for another file. */
bool window_identify(long fd, struct file_id *id);
bool window_is_file(long fd, const struct file_id *id);

/* Disk space for [at, at + bytes), where the file is mapped from offset on. */
bool window_back(const char *path, const struct file_id *id, uint64_t at, uint64_t offset,
		 uint64_t bytes);

/* Before the first file: how much address space a window may take. */
void window_init(void);

/* Address space for so many bytes, aligned to a chunk; 0 where there is none. */
uint64_t window_address_space(uint64_t bytes);

/*
 * Makes the empty file of a new log as long as it may become (*capacity), maps its beginning, in a
 * forked child where its parent's was, and closes the descriptor. Returns the address, from where
 * TRACK_HEADER_BYTES of zeros are backed by disk; NULL where that is not possible. path is kept.
 * Other threads may close descriptors that they do not know, and use the number for another file:
 * only the log is ever changed or mapped.
 */
void *window_open(long fd, const char *path, uint64_t *capacity);

/* In a forked child: unmaps all of the parent's log but its first window. */
void window_forget(void);

/* In a forked child without a file of its own yet: what an interrupted frame of the parent may
 * still write into the parent's first window goes nowhere. */
void window_forget_first(void);

/* The chunk at a multiple of TRACK_CHUNK, mapped and backed by disk; NULL when it cannot be had. */
void *window_chunk(uint64_t offset);

/* Gives up address space that is mapped for the log's growth, before the program limits or locks
 * its memory. */
void window_trim(void);

/* The program is about to forbid itself system calls: sets some of the log aside that can be used
 * without any. There is a log, and it has a file of its own. */
void window_reserve(void);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Maps the log's own file.
 *
 * The file is extended to its maximal length, sparse, and mapped in windows of at most 1 GiB; its
 * descriptor is closed immediately. Before a chunk is written, MADV_POPULATE_WRITE allocates its
 * disk blocks. On a full disk this call fails, while a plain store would raise SIGBUS. Kernels
 * before 5.14 do not support it; there the file is opened again for a moment for fallocate(). A
 * further window is mapped from the previous one, half a window before it is needed.
 */
#ifndef MEMDB_PRELOAD_WINDOW_H
#define MEMDB_PRELOAD_WINDOW_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

/* Identifies the file. */
struct file_id {
	uint64_t dev, ino;
	uint64_t bytes; /* length when it was identified */
};

/* window_identify() stores which file is open. window_is_file() checks whether it still is: other
 * threads may close descriptors that they do not know, and the number may be reused for another
 * file. One thread at a time. */
bool window_identify(long fd, struct file_id *id);
bool window_is_file(long fd, const struct file_id *id);

/* Allocates disk space for [at, at + bytes), where the file is mapped from `offset` on. Returns
 * false if that fails. */
bool window_back(const char *path, const struct file_id *id, uint64_t at, uint64_t offset,
		 uint64_t bytes);

/* Determines how much address space a window may take. Call it before the first file. */
void window_init(void);

/*
 * Reserves address space of this size, aligned to a chunk. Returns its address; 0 if there is none.
 */
uint64_t window_address_space(uint64_t bytes);

/*
 * Extends the empty file of a new log to its maximal length (*capacity), maps its beginning (in a
 * forked child over its parent's), and closes the descriptor. Returns the address, at which
 * TRACK_HEADER_BYTES of zeros are backed by disk; NULL on failure. Stores path. Other threads may
 * close descriptors that they do not know, and the number may be reused for another file, so it
 * changes and maps only the log.
 */
void *window_open(long fd, const char *path, uint64_t *capacity);

/* Unmaps all of the parent's log except its first window, in a forked child. */
void window_forget(void);

/* Replaces the parent's first window by anonymous memory, in a forked child without a file of its
 * own, because an interrupted frame of the parent may still write there. */
void window_forget_first(void);

/* Returns the chunk at a multiple of TRACK_CHUNK, mapped and backed by disk; NULL on failure. */
void *window_chunk(uint64_t offset);

/* Unmaps address space reserved for the log's growth, before the program limits or locks its
 * memory. */
void window_trim(void);

/* Backs a part of the log with disk space, so that it can be used without system calls. Called when
 * the program is about to forbid itself system calls. The log must have a file of its own. */
void window_reserve(void);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Maps the log's own file.
 *
 * The file is extended to its maximal length, sparse, and mapped in windows of at most 1 GiB. Its
 * descriptor is closed at once. Before a chunk is written, MADV_POPULATE_WRITE allocates its disk
 * blocks. On a full disk this call fails, while a store would raise SIGBUS. Kernels before 5.14 do
 * not have this call, and QEMU's emulation ignores it; there the file is opened again for a moment,
 * for fallocate(). When a window is half full, the next one is mapped. This needs no descriptor,
 * because mremap() can create a second mapping of the file from an existing one.
 */
#ifndef MEMDB_PRELOAD_WINDOW_H
#define MEMDB_PRELOAD_WINDOW_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>

/* Identifies an open file, so that it can be recognized later. */
struct file_id {
	uint64_t dev, ino;
	uint64_t bytes; /* length of the file when window_identify() was called */
};

/* window_identify() stores in *id which file fd refers to. window_is_file() checks whether fd still
 * refers to that file: if another thread has closed the descriptor, the kernel may have reused its
 * number for a different file. Only one thread at a time may call these functions. */
bool window_identify(long fd, struct file_id *id);
bool window_is_file(long fd, const struct file_id *id);

/* Does the path lead to a different file? Returns false if there is no file at the path. */
bool window_is_other(const char *path, const struct file_id *id);

/* Allocates disk space for the addresses [at, at + bytes), at which the file `path` is mapped from
 * its byte `offset` on. Returns false if that fails. */
bool window_back(const char *path, const struct file_id *id, uint64_t at, uint64_t offset,
		 uint64_t bytes);

/* Determines how much address space a window may have. Must be called before the first file is
 * mapped. */
void window_init(void);

/* Reserves `bytes` of address space, aligned to a chunk. Returns its address; 0 if that fails. */
uint64_t window_address_space(uint64_t bytes);

/* Extends the empty file of a new log to its maximal length (*capacity), maps its beginning, and
 * closes the descriptor. In a forked child, maps it over the parent's log. Returns the address of
 * the mapping, whose first TRACK_HEADER_BYTES are zero and have disk space; NULL on failure, also
 * if fd no longer refers to the file `path` (see window_is_file()). Stores the pointer `path`, so
 * the text must stay valid. */
void *window_open(long fd, const char *path, uint64_t *capacity);

/* For a forked child: unmaps the parent's log, except for its first window. */
void window_forget(void);

/* For a forked child that has no log file of its own yet: replaces the parent's first window with
 * anonymous memory, because an interrupted frame of the parent may still write there. */
void window_forget_first(void);

/* Returns the address of the chunk at this offset of the log, a multiple of TRACK_CHUNK. Maps the
 * chunk and allocates its disk space if necessary. NULL on failure. */
void *window_chunk(uint64_t offset);

/* Unmaps the address space that is reserved for the growth of the log, except for the next 8 MiB.
 * Called before the program limits its address space or locks its memory. */
void window_trim(void);

/* Called after a call of the program that needs `bytes` of address space has failed. If the address
 * space is limited, unmaps at least `bytes` of the log's unused address space, so that the
 * program's call can be made again. Unmaps nothing if less than that is unused. Events for which
 * the log then has no room are counted. Returns whether the call may succeed now. */
bool window_yield(uint64_t bytes);

/* Allocates disk space for a part of the log, so that it can be used without system calls.
 * Called before the program forbids itself system calls. The log must have a file of its own. */
void window_reserve(void);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Maps a regular file into memory. If the file becomes shorter or its disk fails, reading a page
 * raises SIGBUS, which would end the process. After mapfile_guard(), that page and all later ones
 * of the file read as zeros instead, and mapfile_failed() reports it. Readers distrust their bytes
 * anyway, so they need no special exit from the middle of a record.
 */
#ifndef MEMDB_BASE_MAPFILE_H
#define MEMDB_BASE_MAPFILE_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct mapfile {
	const void *bytes; /* NULL means nothing is mapped */
	size_t len;
	int fd; /* -1: closed */
};

/* Returns how much of a file of size bytes to map: at least 1, at most size. */
typedef uint64_t mapfile_used_fn(int fd, uint64_t size);

/*
 * Opens path, which must be a non-empty regular file. Refuses a FIFO without waiting. Maps as many
 * bytes as used() returns, or all if used is NULL. kind names the expected file type, for the
 * message: "not a follow log". Returns 0, MD_EIO or MD_EFORMAT. mapfile_close(f) is valid in any
 * case.
 */
int mapfile_open(const char *path, const char *kind, mapfile_used_fn *used, struct mapfile *f,
		 struct md_err *err);

/* Closes the descriptor but keeps the mapping. */
void mapfile_keep(struct mapfile *f);

void mapfile_close(struct mapfile *f);

/*
 * Maps len > 0 bytes of an open file for reading. offset is a multiple of a page. path is for
 * messages. NULL with errno on failure.
 */
const void *mapfile_map(int fd, uint64_t offset, size_t len, const char *path);
void mapfile_unmap(const void *bytes, size_t len); /* NULL is fine */

/*
 * Notes a failure if an open file with these bytes mapped is now shorter than `end`. fstat() may
 * notice that before any page is missing.
 */
void mapfile_check(int fd, const void *bytes, uint64_t end);

/*
 * Start handling SIGBUS, with no failure noted; stop handling it. Only for a process with one
 * thread.
 */
void mapfile_guard(void);
void mapfile_unguard(void);

/* Returns 0, or MD_EIO about the first file that had an unreadable page. */
int mapfile_failed(struct md_err *err);

#endif

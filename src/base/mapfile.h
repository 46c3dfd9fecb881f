/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A regular file as bytes in memory. If the file becomes shorter or its disk fails, reading a page
 * raises SIGBUS, which would end the process. While mapfile_guard() is in force, that page and all
 * that follow it in the file read as zeros instead, and mapfile_failed() reports it. Readers
 * distrust their bytes anyway, so they need no special way out of the middle of a record.
 */
#ifndef MEMDB_BASE_MAPFILE_H
#define MEMDB_BASE_MAPFILE_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct mapfile {
	const void *bytes; /* NULL: nothing is mapped */
	size_t len;
	int fd; /* -1: closed */
};

/* How much of a file of size bytes to map: at least 1, at most size. */
typedef uint64_t mapfile_used_fn(int fd, uint64_t size);

/*
 * Opens path, which must be a non-empty regular file (a FIFO of that name is refused without
 * waiting), and maps as much of it as used() returns, or all of it if used is NULL. kind names the
 * expected file type, for the message: "not a follow log". 0, or MD_EIO, MD_EFORMAT.
 * mapfile_close(f) is valid in any case.
 */
int mapfile_open(const char *path, const char *kind, mapfile_used_fn *used, struct mapfile *f,
		 struct md_err *err);

/* Closes the descriptor and keeps the mapping. */
void mapfile_keep(struct mapfile *f);

void mapfile_close(struct mapfile *f);

/* Maps len > 0 bytes of an open file from offset on, a multiple of a page, for reading; path is for
 * the message. NULL with errno. */
const void *mapfile_map(int fd, uint64_t offset, size_t len, const char *path);
void mapfile_unmap(const void *bytes, size_t len); /* NULL is fine */

/* Notes that an open file with these bytes mapped is now shorter than `end`. fstat() may notice
 * that before any page is missing. */
void mapfile_check(int fd, const void *bytes, uint64_t end);

/* Start handling SIGBUS, with no failure noted; stop handling it. For a process with one thread. */
void mapfile_guard(void);
void mapfile_unguard(void);

/* 0, or MD_EIO about the first file that had an unreadable page. */
int mapfile_failed(struct md_err *err);

#endif

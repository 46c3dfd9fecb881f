/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A regular file as bytes in memory.
 *
 * A page that cannot be read any more, because the file has become shorter or its disk fails, would
 * end the process by SIGBUS. While mapfile_guard() is in force it reads as zeros, with all that
 * follows it in the file, and mapfile_failed() tells: readers distrust their bytes anyway, so they
 * need no way out of the middle of a record.
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

/* How much of a file of size bytes has to be mapped: at least 1, at most size. */
typedef uint64_t mapfile_used_fn(int fd, uint64_t size);

/*
 * Opens path, which must be a regular file that is not empty (what else has that name, a FIFO say,
 * is never waited for), and maps what used() says of it, or all where that is NULL. kind is what
 * the file should be, for the message: "not a follow log". 0, or MD_EIO, MD_EFORMAT; *f can be
 * given to mapfile_close() in any case.
 */
int mapfile_open(const char *path, const char *kind, mapfile_used_fn *used, struct mapfile *f,
		 struct md_err *err);

/* Closes the descriptor and keeps what is mapped. */
void mapfile_keep(struct mapfile *f);

void mapfile_close(struct mapfile *f);

/* The first len bytes, more than 0, of an open file, for reading; path is for the message. NULL
 * with errno. */
const void *mapfile_map(int fd, size_t len, const char *path);
void mapfile_unmap(const void *bytes, size_t len); /* NULL is fine */

/* Handles SIGBUS and forgets what failed before; ends that. For a process with one thread. */
void mapfile_guard(void);
void mapfile_unguard(void);

/* 0, or MD_EIO about the first file of which a page could not be read. */
int mapfile_failed(struct md_err *err);

#endif

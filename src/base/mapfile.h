/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Maps a regular file into memory. If the file becomes shorter or its disk fails, reading a page
 * raises SIGBUS, which would end the process. After mapfile_guard(), that page and all later ones
 * of the mapping read as zeros instead, and mapfile_failed() reports the failure. Zeros in the
 * middle of a record do no harm, because the readers check all bytes anyway.
 */
#ifndef MEMDB_BASE_MAPFILE_H
#define MEMDB_BASE_MAPFILE_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct mapfile {
	const void *bytes; /* NULL means that nothing is mapped */
	size_t len;
	int fd; /* -1 means closed */
};

/* Returns how many bytes of an open file must be mapped, from 1 to `size`, the size of the file. */
typedef uint64_t mapfile_used_fn(int fd, uint64_t size);

/* Opens the regular file at `path` and maps as many bytes as used() returns; with `used` NULL, the
 * entire file. Refuses an empty file and anything that is not a regular file; does not wait for the
 * writer of a FIFO. `kind` names the expected type of file in error messages, as in "not a follow
 * log". Returns 0, MD_EIO or MD_EFORMAT. The caller calls mapfile_close(f) in any case. */
int mapfile_open(const char *path, const char *kind, mapfile_used_fn *used, struct mapfile *f,
		 struct md_err *err);

/* Checks that the file has not become shorter (mapfile_check()), closes the descriptor and keeps
 * the mapping. */
void mapfile_keep(struct mapfile *f);

void mapfile_close(struct mapfile *f);

/* Maps len > 0 bytes of an open file for reading. offset must be a multiple of the page size.
 * `path` is for messages. Returns NULL with errno set if it fails. */
const void *mapfile_map(int fd, uint64_t offset, size_t len, const char *path);
void mapfile_unmap(const void *bytes, size_t len); /* bytes may be NULL */

/* Must be called after the file was read. If the open file fd, whose mapping is `bytes`, is now
 * shorter than `end`, makes mapfile_failed() report it. Such a file does not always cause a SIGBUS:
 * only reading a missing page does. */
void mapfile_check(int fd, const void *bytes, uint64_t end);

/* mapfile_guard() begins to handle SIGBUS and forgets earlier failures; mapfile_unguard() stops
 * handling it. Between the two, only one thread may read mappings or change their list
 * (mapfile_open(), mapfile_close(), …), and all other threads must block signals. */
void mapfile_guard(void);
void mapfile_unguard(void);

/* Returns 0, or MD_EIO with the name of the first file that had an unreadable page or became
 * shorter. */
int mapfile_failed(struct md_err *err);

#endif

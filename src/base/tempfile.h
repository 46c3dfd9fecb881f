/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Unfinished and unnamed files. A named temporary file is next to the file that it will replace, as
 * "NAME.memdb-tmp-XXXXXX", and is locked (flock) while its process lives. A killed process leaves
 * the file behind, unlocked: whoever makes the next temporary file in that folder removes it. File
 * systems without locks (ENOSYS, ENOLCK) are never swept. An unnamed file (O_TMPFILE) would need no
 * sweep, but NFS and older overlay file systems do not support it, and SQLite opens files only by
 * name.
 */
#ifndef MEMDB_BASE_TEMPFILE_H
#define MEMDB_BASE_TEMPFILE_H

#include "base/err.h"

struct tempfile {
	char *path; /* NULL: there is none. Contains a '/', so that no program takes it for a URI */
	int fd;     /* for reading and writing, close-on-exec; locked while this process lives */
};

/* Creates an empty file next to `path`, mode 0600, and removes the files that dead processes of
 * this user left in that folder. MD_EIO (the sentence names `path`), MD_ENOMEM. */
int tempfile_create(const char *path, struct tempfile *t, struct md_err *err);

/* Renames it to `path`, replacing that, and forgets it: 0. On failure errno is set and nothing
 * has changed. */
int tempfile_publish(struct tempfile *t, const char *path);

/* Removes the file and frees *t's members; { 0 } is fine. */
void tempfile_remove(struct tempfile *t);

/* Removes all temporary files of this process. For signal handlers that end it. */
void tempfile_remove_all(void);

/* The folder for unnamed files: TMPDIR, else /tmp. */
const char *tempfile_folder(void);

/* Creates an empty unnamed file in tempfile_folder(), for reading and writing, close-on-exec.
 * Returns the descriptor, or -1 with errno. */
int tempfile_nameless(void);

#endif

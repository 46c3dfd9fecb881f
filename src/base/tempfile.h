/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes unfinished and unnamed files. A named temporary file is next to the file that it will
 * replace, as "NAME.memdb-tmp-XXXXXX". It is locked (flock) while its process lives. A killed
 * process leaves it behind unlocked, and the next process that makes a temporary file in that
 * folder removes it. File systems without locks (ENOSYS, ENOLCK) are never swept. An unnamed file
 * (O_TMPFILE) would need no sweep, but NFS and older overlay file systems do not support it, and
 * SQLite opens files only by name.
 */
#ifndef MEMDB_BASE_TEMPFILE_H
#define MEMDB_BASE_TEMPFILE_H

#include "base/err.h"

struct tempfile {
	char *path; /* NULL means there is none. Contains a '/', so that no program interprets it as
		       a URI */
	int fd;     /* for reading and writing, close-on-exec; locked while this process lives */
};

/*
 * Creates an empty file next to `path`, mode 0600. Removes the files that dead processes of this
 * user left in that folder. Returns 0, MD_EIO (the sentence names `path`) or MD_ENOMEM.
 */
int tempfile_create(const char *path, struct tempfile *t, struct md_err *err);

/*
 * Renames the file to `path`, which it may replace, and frees *t's members. Returns 0, or -1 with
 * errno and nothing changed.
 */
int tempfile_publish(struct tempfile *t, const char *path);

/* Removes the file and frees *t's members. *t may be { 0 }. */
void tempfile_remove(struct tempfile *t);

/* Removes all temporary files of this process. For signal handlers that end the process. */
void tempfile_remove_all(void);

/* Returns the folder for unnamed files: TMPDIR, else /tmp. */
const char *tempfile_folder(void);

/* Creates an empty unnamed file in tempfile_folder(), for reading and writing, close-on-exec.
 * Returns the descriptor, or -1 with errno. */
int tempfile_nameless(void);

#endif

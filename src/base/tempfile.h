/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes temporary files, named and unnamed. A named temporary file is next to the file that it will
 * replace, as "NAME.memdb-tmp-XXXXXX". It is locked (flock) while its process lives. If the process
 * is killed, the file remains without a lock, and the next process that makes a temporary file in
 * that folder removes it. On file systems without locks (ENOSYS, ENOLCK) leftovers are not removed.
 * An unnamed file (O_TMPFILE) would vanish with its process. But SQLite opens files only by name,
 * and NFS and older overlay file systems do not support unnamed files.
 */
#ifndef MEMDB_BASE_TEMPFILE_H
#define MEMDB_BASE_TEMPFILE_H

#include "base/err.h"

struct tempfile {
	/* NULL means that there is no file. The path contains a '/' ("./" is added if necessary),
	 * so that SQLite does not take a name such as file:x for a URI */
	char *path;
	int fd; /* for reading and writing, close-on-exec; locked while this process lives */
};

/* Creates an empty file next to `path`, mode 0600. Before that, removes the files that ended
 * processes of this user have left in that folder. Returns 0, MD_EIO (the sentence names `path`) or
 * MD_ENOMEM. */
int tempfile_create(const char *path, struct tempfile *t, struct md_err *err);

/* Renames the file to `path`, replacing an older file, and frees the members of *t. Returns 0, or
 * -1 with errno set and nothing changed. */
int tempfile_publish(struct tempfile *t, const char *path);

/* Removes the file and frees the members of *t, which may be { 0 }. */
void tempfile_remove(struct tempfile *t);

/* Removes the temporary files that this process has made and not yet published, but at most four.
 * For signal handlers that end the process. */
void tempfile_remove_all(void);

/* Returns the folder for unnamed files: TMPDIR, otherwise /tmp. */
const char *tempfile_folder(void);

/* Creates an empty unnamed file in tempfile_folder(), for reading and writing, close-on-exec.
 * Returns the descriptor, or -1 with errno. */
int tempfile_nameless(void);

#endif

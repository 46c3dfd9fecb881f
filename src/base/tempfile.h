/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files that are not finished, or that nobody is to see.
 *
 * A temporary file with a name lies beside the file that it becomes, as "NAME.memdb-tmp-XXXXXX",
 * and is locked (flock) while its process lives. A process that is killed leaves it behind without
 * the lock: whoever makes the next one in that folder removes it. File systems that know no locks
 * (ENOSYS, ENOLCK) are never swept. A nameless file (O_TMPFILE) would need no sweep, but NFS and
 * older overlays have none, and SQLite opens files by name only.
 */
#ifndef MEMDB_BASE_TEMPFILE_H
#define MEMDB_BASE_TEMPFILE_H

#include "base/err.h"

struct tempfile {
	char *path; /* NULL: there is none. Has a '/', so that no program takes it for a URI */
	int fd; /* for reading and writing, close-on-exec; its lock says that this process lives */
};

/* Creates an empty file beside `path`, mode 0600, and removes those that dead processes of this
 * user left in that folder. MD_EIO (the sentence names `path`), MD_ENOMEM. */
int tempfile_create(const char *path, struct tempfile *t, struct md_err *err);

/* Renames it to `path`, which is replaced, and forgets it: 0. Else errno is set, nothing changed.
 */
int tempfile_publish(struct tempfile *t, const char *path);

/* Removes the file and frees what *t holds; { 0 } is fine. */
void tempfile_remove(struct tempfile *t);

/* Removes all files of this process that are there now. For signal handlers that end it. */
void tempfile_remove_all(void);

/* Where files without a name are made: TMPDIR, else /tmp. */
const char *tempfile_folder(void);

/* An empty file without a name in tempfile_folder(), for reading and writing, close-on-exec. The
 * descriptor, or -1 with errno. */
int tempfile_nameless(void);

#endif

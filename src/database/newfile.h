/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file that appears under its name only when it is whole: written beside it, synced, renamed.
 */
#ifndef MEMDB_DATABASE_NEWFILE_H
#define MEMDB_DATABASE_NEWFILE_H

#include "base/err.h"

struct newfile {
	char *path; /* what it is to be called */
	char *temp; /* what it is called until then: never starts with a scheme SQLite knows */
};

/* Creates an empty file beside `path`, mode 0600. MD_EIO (no such folder, not writable, `path` is
 * there and no regular file), MD_ENOMEM; then *f is released. */
int newfile_create(const char *path, struct newfile *f, struct md_err *err);

/* Syncs the file, gives it its name, syncs the folder. MD_EIO: `path` is as it was. */
int newfile_publish(const struct newfile *f, struct md_err *err);

/* Removes the unfinished file, if it is still there. */
void newfile_remove(const struct newfile *f);
void newfile_release(struct newfile *f);

#endif

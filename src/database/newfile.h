/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A database that appears under its name only when it is whole: written beside it, synced, renamed.
 *
 * What stands beside the name (NAME-journal, NAME-wal, NAME-shm) belongs to the database that was
 * there: SQLite would play it into the new one. It is removed before the new one gets the name,
 * never after: a database that is about to be replaced may be torn for that moment, the new one may
 * not. Programs that still have the old one open keep it: SQLite sees that its file has moved.
 */
#ifndef MEMDB_DATABASE_NEWFILE_H
#define MEMDB_DATABASE_NEWFILE_H

#include <stdbool.h>

#include "base/err.h"
#include "base/tempfile.h"

struct newfile {
	char *path; /* what it is to be called */
	bool force;
	struct tempfile temp;
};

/*
 * May a database be written to `path`? What is there may be replaced where it is empty or a
 * database of memdb's, of whatever version, and somebody may write to it; with force every regular
 * file may. The same holds for what stands beside it: a journal of SQLite's, or force.
 *   MD_EIO     its folder is missing or cannot be written to; it is no regular file
 *   MD_EUSAGE  it is not to be replaced
 */
int newfile_check(const char *path, bool force, struct md_err *err);

/* By its first bytes: is it a database of memdb's? */
bool newfile_is_database(const char *path);

/* Creates an empty file beside `path`, mode 0600. As newfile_check(), and MD_ENOMEM; then *f is
 * released. */
int newfile_create(const char *path, bool force, struct newfile *f, struct md_err *err);

/* Checks again, syncs the file, gives it its name, syncs the folder. As newfile_check(): then
 * `path` is as it was. */
int newfile_publish(struct newfile *f, struct md_err *err);

/* Removes the file where it is unfinished. { 0 } is fine. */
void newfile_release(struct newfile *f);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Creates a file that appears under its name only when it is complete: the file is written next to
 * that name, synced and renamed.
 *
 * The files next to a database (NAME-journal, NAME-wal, NAME-shm) belong to the old one, and SQLite
 * would replay them into the new one. They are removed before the new database gets the name, never
 * after: a crash in between may damage the old database, which is about to be replaced, but not the
 * new one. Programs that have the old database open keep it: SQLite notices that its file was
 * replaced.
 */
#ifndef MEMDB_DATABASE_NEWFILE_H
#define MEMDB_DATABASE_NEWFILE_H

#include <stdbool.h>

#include "base/err.h"
#include "base/tempfile.h"

/* The kind of a file. A new file may replace files of its own kind. */
enum newfile_kind {
	NEWFILE_DATABASE,
	NEWFILE_PAGE,   /* of `memdb report --html`; no other files belong to it */
	NEWFILE_EXPORT, /* of `memdb export`, whose formats look like anybody's files: replaces only
			 * empty ones */
};

/* The first bytes of a page. */
#define NEWFILE_PAGE_START "<!DOCTYPE html><!-- memdb page -->"

struct newfile {
	enum newfile_kind kind;
	char *path; /* the final name */
	bool force;
	struct tempfile temp;
};

/*
 * Checks that a database may be written to `path`. An existing file may be replaced if it is empty
 * or a database of memdb, of any version, and not write-protected; with force, any regular file may
 * be replaced. The same holds for the files next to it: without force they must be journals of
 * SQLite. Returns 0, or:
 *   MD_EIO     the folder is missing or not writable; path is not a regular file
 *   MD_EUSAGE  the file must not be replaced
 * newfile_check_kind() checks the same for a file of another kind.
 */
int newfile_check(const char *path, bool force, struct md_err *err);
int newfile_check_kind(enum newfile_kind kind, const char *path, bool force, struct md_err *err);

/* Fails with MD_EUSAGE if `path` is the file `input`, which is being read: --force is no word for
 * "destroy the recording". */
int newfile_check_input(const char *input, const char *path, struct md_err *err);

/* Is `path` a device, a pipe or a socket, or does it lead to an open descriptor? */
bool newfile_is_stream(const char *path);

/* Do the first bytes of the file identify a database of memdb? False if it cannot be read. */
bool newfile_is_database(const char *path);

/* Creates an empty file next to `path`, mode 0600. Returns the errors of newfile_check(), or
 * MD_ENOMEM; *f is then released. */
int newfile_create(const char *path, bool force, struct newfile *f, struct md_err *err);
int newfile_create_kind(enum newfile_kind kind, const char *path, bool force, struct newfile *f,
			struct md_err *err);

/* Checks again, syncs the file, renames it and syncs the folder. Returns the errors of
 * newfile_check(); `path` is then unchanged. */
int newfile_publish(struct newfile *f, struct md_err *err);

/* Removes the file if it was not published. { 0 } is fine. */
void newfile_release(struct newfile *f);

#endif

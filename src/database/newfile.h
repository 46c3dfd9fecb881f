/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Creates a file that appears under its name only when it is complete. Until then it has a
 * temporary name in the same folder; then it is synced and renamed.
 *
 * The files next to a database (NAME-journal, NAME-wal, NAME-shm) belong to the old database, and
 * SQLite would replay them into the new one. They are removed before the new database gets the
 * name, never after: a crash between the two steps may then damage the old database, which is about
 * to be replaced, but not the new one. Programs that have the old database open continue to read
 * the old file.
 */
#ifndef MEMDB_DATABASE_NEWFILE_H
#define MEMDB_DATABASE_NEWFILE_H

#include <stdbool.h>

#include "base/err.h"
#include "base/tempfile.h"

/* The kinds of files that memdb writes. A new file may replace an existing one of the same kind. */
enum newfile_kind {
	NEWFILE_DATABASE,
	NEWFILE_PAGE, /* a page of `memdb report --html` */
	/* a file of `memdb export`; export formats have no mark of memdb, so an export replaces
	 * only an empty file */
	NEWFILE_EXPORT,
};

/* The first bytes of an HTML page of memdb; newfile_check_kind() recognizes a page by them. */
#define NEWFILE_PAGE_START "<!DOCTYPE html><!-- memdb page -->"

struct newfile {
	enum newfile_kind kind;
	char *path; /* the name that the file has after newfile_publish() */
	bool force;
	struct tempfile temp;
};

/*
 * Checks that a database may be written to `path`. An existing file may be replaced if it is not
 * write-protected, and is empty or a database of memdb of any version. With `force`, every regular
 * file may be replaced, except ELF files (programs and their debug information), and except a
 * database of memdb by a file of another kind. The files that
 * SQLite keeps next to a database must be SQLite's or, with `force`, regular files.
 * newfile_check_kind() checks the same for a file of another kind. Both return 0, or:
 *   MD_EIO     the folder is missing or not writable, or path, or a file that SQLite would keep
 *              next to it, is not a regular file
 *   MD_EUSAGE  the file must not be replaced
 *   MD_ENOMEM
 */
int newfile_check(const char *path, bool force, struct md_err *err);
int newfile_check_kind(enum newfile_kind kind, const char *path, bool force, struct md_err *err);

/* Fails with MD_EUSAGE if `path` and `input`, which the caller reads, are the same file: not even
 * --force may destroy the recording. */
int newfile_check_input(const char *input, const char *path, struct md_err *err);

/* Is `path` a device, a pipe, a socket, or a link to an open descriptor? memdb writes to such a
 * target instead of replacing it. */
bool newfile_is_stream(const char *path);

/* Registers with doomed_add() the files that newfile_publish() will replace or remove. A command
 * that also reads such a file can then refuse to run. */
void newfile_doom(const char *path);

/* Do the first bytes of the file show that it is a database of memdb? Returns false if the file
 * cannot be read. */
bool newfile_is_database(const char *path);

/* Is it a file that SQLite keeps next to a database, by its name and its first bytes? Returns false
 * if the file cannot be read. */
bool newfile_is_beside(const char *path);

/* Creates an empty temporary file next to `path`, mode 0600. Returns 0 or an error of
 * newfile_check(). On failure *f needs no release. */
int newfile_create(const char *path, bool force, struct newfile *f, struct md_err *err);
int newfile_create_kind(enum newfile_kind kind, const char *path, bool force, struct newfile *f,
			struct md_err *err);

/* Repeats the check of newfile_check_kind(), syncs the temporary file, renames it to its final name
 * and syncs the folder. Returns 0 or an error of newfile_check(). After an error, an old file of
 * that name is unchanged, but SQLite's files next to it may have been removed. */
int newfile_publish(struct newfile *f, struct md_err *err);

/* Removes the temporary file, unless it was published. *f may be { 0 }. */
void newfile_release(struct newfile *f);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stores which files this command is going to replace or remove, and whether the command reads one
 * of them. The command can then refuse to destroy its own input, even if the user has given
 * --force. Files are compared by device and inode, because several paths may lead to the same file.
 * There is one list per process.
 */
#ifndef MEMDB_BASE_DOOMED_H
#define MEMDB_BASE_DOOMED_H

#include <stdbool.h>
#include <sys/stat.h>

/* Empties the list. The files remain. */
void doomed_clear(void);

/* Adds the file at `path`; does nothing if there is no such file. */
void doomed_add(const char *path);

bool doomed_any(void);

/* Is this file, identified by its stat(2), on the list? */
bool doomed_is(const struct stat *st);

/* Must be called when a reader has opened a file, so that doomed_was_read() can report it. */
void doomed_saw(const struct stat *st);

/* Was a file of the list opened by a reader? */
bool doomed_was_read(void);

#endif

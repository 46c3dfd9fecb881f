/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Remembers the files that this command is going to replace or remove, and whether one of them is
 * read. So an input is never lost, whatever the user forces. The files are known by device and
 * inode, because several paths may lead to the same file. There is one list per process.
 */
#ifndef MEMDB_BASE_DOOMED_H
#define MEMDB_BASE_DOOMED_H

#include <stdbool.h>
#include <sys/stat.h>

/* Forgets all files. */
void doomed_clear(void);

/* Adds the file at `path`; does nothing if there is none. */
void doomed_add(const char *path);

bool doomed_any(void);

/* Is it one of the files? */
bool doomed_is(const struct stat *st);

/* A reader opens this file. */
void doomed_saw(const struct stat *st);

/* Was one of the files opened by a reader? */
bool doomed_was_read(void);

#endif

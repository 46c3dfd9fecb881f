/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The file to which the records of all processes are appended. Programs may close descriptors that
 * they did not open, as daemons do at their start and many programs in a child before an exec, or
 * may use the number of this descriptor for a file of their own. So each append checks that the
 * descriptor is still open on the file, and opens the file again if not.
 */
#ifndef MEMDB_ACCESS_APPEND_H
#define MEMDB_ACCESS_APPEND_H

#include <stdbool.h>
#include <stddef.h>

/* Opens the file. Returns its descriptor, which append_bytes() uses, or -1 with errno. `path` is
 * absolute. */
int append_open(const char *path);

/* Appends bytes and returns how many were written, or -1. The caller has blocked all signals. */
long append_bytes(const void *bytes, size_t size);

/* Opens the file again if the program has closed the descriptor. Returns whether the file is open.
 * append_bytes() does this, too, but a program that has closed all files may then give up the right
 * to open this one. */
bool append_restore(void);

#endif

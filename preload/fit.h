/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What has to be known of a program before it is started. */
#ifndef MEMDB_PRELOAD_FIT_H
#define MEMDB_PRELOAD_FIT_H

#include <stdbool.h>

/*
 * Whether the ELF file at path, or the one that runs the script there, cannot have this library
 * preloaded:
 * - It is built for another machine or word size: its loader complains on standard error.
 * - Its loader belongs to neither glibc nor musl: what this library needs may be missing there.
 * - It needs a library of AddressSanitizer, which ends the program where anything comes before it.
 * Reads by system calls, with 2 KiB of stack; false for what cannot be read.
 */
bool fit_refuses_preload(const char *path);

/* The same of the program that execvp() finds: the first in PATH where file names no directory.
 * With 6 KiB of stack. */
bool fit_refuses_preload_in_path(const char *file);

#endif

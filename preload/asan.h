/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What has to be known of a program before it is started. */
#ifndef MEMDB_PRELOAD_ASAN_H
#define MEMDB_PRELOAD_ASAN_H

#include <stdbool.h>

/*
 * Whether the 64-bit ELF file at path, or the one that the script there is run by, names a library
 * of AddressSanitizer among those it needs: that ends the program where anything was preloaded
 * before it. Reads by system calls, with 2 KiB of stack; false for what cannot be read.
 */
bool asan_refuses_preload(const char *path);

/* The same of the program that execvp() finds: the first in PATH where file names no directory.
 * With 6 KiB of stack. */
bool asan_refuses_preload_in_path(const char *file);

#endif

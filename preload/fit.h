/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds programs that cannot run with the tracker preloaded. */
#ifndef MEMDB_PRELOAD_FIT_H
#define MEMDB_PRELOAD_FIT_H

#include <stdbool.h>

/*
 * Is this a program that cannot run with the tracker's library? `path` is an ELF file or a script;
 * for a script, its interpreter is examined. argv are its arguments; for a dynamic loader, the
 * program that it will load is examined, too. The reasons are:
 *  - It is built for another machine or word size: its loader would print an error.
 *  - Its loader is neither glibc's nor musl's: it may lack what this library needs.
 *  - It needs the library of AddressSanitizer, which aborts the program if another library comes
 *    first.
 *  - It is a dynamic loader that will print a list, in which the tracker would be, too.
 *
 * Returns false for files that cannot be read or executed. Uses system calls and 2 KiB of stack.
 */
bool fit_refuses_preload(const char *path, char *const *argv);

/* Like fit_refuses_preload(), but for the program that execvp() would execute: if `file` contains
 * no slash, the first executable file of this name in PATH. Uses 6 KiB of stack. */
bool fit_refuses_preload_in_path(const char *file, char *const *argv);

/* The path of an open file begins with this; its descriptor follows. */
#define FIT_DESCRIPTORS "/proc/self/fd/"

typedef bool (*fit_refuses)(const char *path, char *const *argv);

#endif

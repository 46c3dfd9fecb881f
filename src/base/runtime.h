/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists libraries that only support a program and are not its own code: C and language runtimes,
 * allocators, OpenMP. They are recognized by their file names. */
#ifndef MEMDB_BASE_RUNTIME_H
#define MEMDB_BASE_RUNTIME_H

#include <stdbool.h>

/* Is it the library of an allocator, which replaces libc's malloc? */
bool runtime_is_allocator(const char *file);

/* Is it an OpenMP runtime? It runs the program's parallel regions, waits for their end, and
 * allocates memory for itself. */
bool runtime_is_openmp(const char *file);

/* Is it an allocator, an OpenMP runtime, libc, the loader, or the runtime library of a language? */
bool runtime_is_library(const char *file);

/* Is it a function of libc that may be linked into the program itself? Such are memset and the
 * like, with their versions for certain CPUs, qsort, and the inner functions of stdio. */
bool runtime_is_function(const char *function);

#endif

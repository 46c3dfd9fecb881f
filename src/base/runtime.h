/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists the libraries that only serve a program, by their file names: C and language runtimes,
 * allocators, OpenMP. */
#ifndef MEMDB_BASE_RUNTIME_H
#define MEMDB_BASE_RUNTIME_H

#include <stdbool.h>

/* Is it an allocator, which takes the place of libc's malloc? */
bool runtime_is_allocator(const char *file);

/* Is it an OpenMP runtime? It distributes work, waits for its end, and allocates for itself. */
bool runtime_is_openmp(const char *file);

/* Is it an allocator, an OpenMP runtime, libc, the loader, or the runtime library of a language? */
bool runtime_is_library(const char *file);

/* Is it a function of libc that may be linked into a program: memset, also in the versions for
 * certain CPUs, qsort, stdio's internals? */
bool runtime_is_function(const char *function);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists libraries and functions that only support a program and are not its own code: C and
 * language runtimes, allocators, OpenMP, MPI. They are recognized by the names of files and
 * functions.
 */
#ifndef MEMDB_BASE_RUNTIME_H
#define MEMDB_BASE_RUNTIME_H

#include <stdbool.h>
#include <stddef.h>

/* Is this file the library of an allocator that replaces libc's malloc? */
bool runtime_is_allocator(const char *file);

/* Is this file an OpenMP runtime? It runs the program's parallel regions, waits for their end, and
 * allocates memory for itself. */
bool runtime_is_openmp(const char *file);

/* Is this file a part of an MPI library: Open MPI, MPICH and its descendants, or the libraries by
 * which they transport messages (UCX, libfabric, PSM, verbs, PMIx, ...)? */
bool runtime_is_mpi(const char *file);

/* Is this a function in which an MPI library waits for messages? An MPI library calls the functions
 * of its parts in turn until a message is there, so most of these functions wait. Its other work is
 * to pack, copy and reduce data. A function without a name (NULL) in such a library counts as
 * waiting, too, because it is not known what it does. file may be NULL. */
bool runtime_is_messaging(const char *function, const char *file);

/* Is this file the dynamic loader? It is one that can load the tracker (TRACK_LOADERS). */
bool runtime_is_loader(const char *file);

/* Is this file libc? */
bool runtime_is_libc(const char *file);

/* Is this file an allocator, an OpenMP runtime, libc or one of its parts (libm, libpthread, ...),
 * the loader, a sanitizer, or the runtime library of a language? */
bool runtime_is_library(const char *file);

/* Is this a header of the system or of the compiler, or a source file of a Rust library or package,
 * and not a file of the program? path may be NULL. */
bool runtime_is_header(const char *path);

/* Is this a function of libc that may be linked into the program itself? Examples are memset and
 * similar functions, their versions for certain CPUs, qsort, and the internal functions of stdio,
 * of malloc and of the loader. */
bool runtime_is_function(const char *function);

/* Does this function allocate heap memory: malloc and its like, operator new, or a function of
 * libc's malloc, of Rust or of a well-known allocator? name[0..len) is the name without parameters;
 * functions that only free memory do not count. */
bool runtime_allocates(const char *name, size_t len);

/*
 * Does this function spend its time on allocating or freeing heap memory? Examples are malloc,
 * free, operator new and delete, the inner functions of libc's malloc, all functions in the library
 * of an allocator, and functions of well-known allocators that are linked into the program itself.
 * The result for malloc_usable_size is false, because almost only tools call it. function or file
 * may be NULL (not known).
 */
bool runtime_is_allocation(const char *function, const char *file);

#endif

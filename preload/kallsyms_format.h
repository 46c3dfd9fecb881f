/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How perf gets the copy of the kernel's symbols that memdb makes.
 *
 * perf record reads /proc/kallsyms three times before it starts the program, and the kernel takes
 * 40 ms to write it each time. memdb reads it anyway, for the capture. So memdb preloads a library
 * into perf, which opens memdb's copy in place of /proc/kallsyms: perf reads the same bytes.
 * Whatever is missing, perf opens the kernel's file, as it does without the library.
 */
#ifndef MEMDB_PRELOAD_KALLSYMS_FORMAT_H
#define MEMDB_PRELOAD_KALLSYMS_FORMAT_H

#define KALLSYMS_PATH    "/proc/kallsyms"
#define KALLSYMS_LIBRARY "libmemdb-kallsyms.so"

/* A variable in perf's environment, with two descriptors that perf inherits: "COPY,READY". COPY is
 * a file with the symbols; an empty file is no copy. READY is a pipe, whose other end is closed
 * when the copy is complete. */
#define KALLSYMS_ENV "MEMDB_KALLSYMS"

#endif

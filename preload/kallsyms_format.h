/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How perf gets the kernel's symbols that memdb has read.
 *
 * perf record reads /proc/kallsyms three times before it starts the program, and the kernel takes
 * 40 ms to write it each time. It looks for the symbols that are the borders of the kernel's code
 * (_text, _etext, trampolines), for the record of the kernel's mapping. memdb reads /proc/kallsyms
 * anyway, for the capture. So memdb preloads a library into perf, which opens memdb's copy of all
 * symbols of that kind in place of /proc/kallsyms. Whatever is missing, perf opens the kernel's
 * file, as it does without the library; also after the program has started.
 */
#ifndef MEMDB_PRELOAD_KALLSYMS_FORMAT_H
#define MEMDB_PRELOAD_KALLSYMS_FORMAT_H

#define KALLSYMS_PATH    "/proc/kallsyms"
#define KALLSYMS_LIBRARY "libmemdb-kallsyms.so"

/* A variable in perf's environment, with two descriptors that perf inherits: "COPY,READY". COPY is
 * a file with lines of kallsyms; an empty file is no copy. READY is a pipe, whose other end is
 * closed when the copy is complete. */
#define KALLSYMS_ENV "MEMDB_KALLSYMS"

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Copies the kernel's symbols and the vdso into the capture, because they exist only while this
 * kernel runs. The kernel takes 40 ms to write its symbols into /proc/kallsyms, so a thread reads
 * them while perf starts, and perf gets those that it needs (preload/kallsyms_format.h).
 */
#ifndef MEMDB_RECORD_KERNEL_SYMBOLS_H
#define MEMDB_RECORD_KERNEL_SYMBOLS_H

#include <stdbool.h>

struct capture;
struct kernel_symbols;

/* Begins to read. `library` is the path of KALLSYMS_LIBRARY; NULL if there is none. Returns NULL if
 * there is no memory for the symbols. */
struct kernel_symbols *kernel_symbols_start(const char *library);

/* Lets the program that the calling process is about to execute, which is perf, read the symbols
 * that perf needs in place of /proc/kallsyms. Changes the environment and the descriptors that the
 * program inherits, so it is called in a child. k may be NULL. */
void kernel_symbols_share(const struct kernel_symbols *k);

/*
 * Waits until all is read, writes it into the capture, and frees k. From then on, perf reads the
 * kernel's file. Without a capture (NULL), only frees k. Errors are ignored: the import then only
 * knows less about code of the kernel and the vdso. k may be NULL.
 */
void kernel_symbols_finish(struct kernel_symbols *k, const struct capture *c);

/* Does /proc/kallsyms show addresses to this user? */
bool kernel_symbols_are_shown(void);

#endif

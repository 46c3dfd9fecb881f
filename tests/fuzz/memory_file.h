/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For functions that take a path: a file in memory with the bytes of a fuzzer's input. */
#ifndef MEMDB_FUZZ_MEMORY_FILE_H
#define MEMDB_FUZZ_MEMORY_FILE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

struct memory_file {
	int fd;
	char path[64];
};

/* Replaces the content of the file with these bytes; the first call creates the file. Returns its
 * path. */
static inline const char *memory_file_set(struct memory_file *f, const void *data, size_t size)
{
	if (!f->path[0]) {
		f->fd = memfd_create("input", MFD_CLOEXEC);
		snprintf(f->path, sizeof(f->path), "/proc/self/fd/%d", f->fd);
	}
	if (f->fd < 0 || ftruncate(f->fd, 0) || pwrite(f->fd, data, size, 0) != (ssize_t)size)
		abort();
	return f->path;
}

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers the files that processes share as memory: everything mapped with MAP_SHARED. A page of
 * such a file is the same in all processes that map it, so facts about the page are stored by file
 * and offset. */
#ifndef MEMDB_MODEL_SHARED_FILES_H
#define MEMDB_MODEL_SHARED_FILES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/index.h"

struct shared_file {
	uint64_t inode, generation;
	uint32_t major, minor; /* numbers of the device */
	/* whether the first access to a page creates it (shmem, memfd, System V, huge pages). Pages
	 * of other files may exist before, because of read-ahead or write(2) */
	bool memory;
	bool huge; /* whether the file consists of huge pages */
	/* whether the program gave the memory a name or a key, so that other processes can map it
	 * (memfd, files in /dev/shm and /dev/hugepages, System V) */
	bool named;
};

/* The files of shared mappings. A struct of zeros is an empty list. */
struct shared_files {
	struct {
		struct shared_file *at;
		uint32_t n, cap;
	} files; /* element i has the id i + 1 */
	struct index index;
	bool nomem;
};

void shared_files_release(struct shared_files *s);

/* Finds or adds the file that a mapping record names. Returns its id; 0 if the record names no
 * file (inode and device are 0), or when out of memory. The members memory, huge and named of
 * *f are ignored: they are derived from the path. */
uint32_t shared_file(struct shared_files *s, const struct shared_file *f, const char *path);

#endif

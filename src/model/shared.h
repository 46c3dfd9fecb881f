/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files that processes share as memory: what is mapped with MAP_SHARED. One page of such a file is
 * the same for all who map it, so what is known of it is kept by file and place in it.
 */
#ifndef MEMDB_MODEL_SHARED_H
#define MEMDB_MODEL_SHARED_H

#include <stdbool.h>
#include <stdint.h>

#include "base/index.h"

struct shared_file {
	uint64_t inode, generation;
	uint32_t major, minor; /* of its device */
	bool memory; /* its pages are made by the first access: shmem, memfd, System V, huge pages.
			Those of other files may be there before, read ahead or written by a call */
	bool huge;   /* of huge pages */
};

/* { 0 } is empty. */
struct shared_files {
	struct {
		struct shared_file *at;
		uint32_t n, cap;
	} files; /* element i has id i + 1 */
	struct index index;
	bool nomem;
};

void shared_files_release(struct shared_files *s);

/* The id of the file that the kernel calls so in a mapping; 0 where it has no device, and when out
 * of memory. Of f, `memory` and `huge` are found out here, by its path. */
uint32_t shared_file(struct shared_files *s, const struct shared_file *f, const char *path);

#endif

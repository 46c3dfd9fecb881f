/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the owner of a page: a process, or a shared file. */
#ifndef MEMDB_IMPORT_PAGE_OWNER_H
#define MEMDB_IMPORT_PAGE_OWNER_H

#include <stdbool.h>
#include <stdint.h>

#include "model/homes.h"
#include "model/shared_files.h"

struct import;

/* A range of pages with one owner: its place in the process, and its place in the struct homes that
 * stores the nodes of its pages. */
struct pages {
	struct homes *homes;
	uint32_t owner;                 /* id of the process or of the file, as `homes` numbers
					 * it */
	const struct shared_file *file; /* NULL means private memory of the process */
	/* the range in the process; pages_at() sets `bytes` to 0 */
	uint64_t address, bytes;
	/* start of the range in `homes`: an address, or a file offset */
	uint64_t to;
};

/* Returns the owner of the page at an address of the process. */
struct pages pages_at(struct import *im, uint32_t process, uint64_t address);
/* Finds the next part of the process's range [*at, end) that has one owner, and moves *at to the
 * end of that part. Returns false if nothing is left. */
bool pages_next(struct import *im, uint32_t process, uint64_t *at, uint64_t end, struct pages *p);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Removes the home node from rows of pages that moved to another node. */
#ifndef MEMDB_IMPORT_MOVED_H
#define MEMDB_IMPORT_MOVED_H

#include <stdint.h>

struct import;
struct moved;

struct moved_pages {
	/* pages that the latest looks found on a different node than before (a look asks on which
	 * nodes pages are). moved_take_back() empties the list */
	struct moved *at;
	uint32_t n, cap;
	uint64_t until; /* time at which the last of these looks ended */
};

/* Callbacks for pages that have moved to another node, set as `changed` in struct homes: the first
 * in im->model.homes, the second in im->model.shared_homes. `arg` is the struct import. */
void moved_found(void *arg, uint32_t process, uint64_t start, uint64_t end, uint64_t since);
void moved_in_file(void *arg, uint32_t file, uint64_t start, uint64_t end, uint64_t since);
/* Sets the home node of the collected pages to NULL in the stored rows. Must be called after all
 * looks of one time have been handled. */
void moved_take_back(struct import *im);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Removes the home node from rows of pages that moved to another node. */
#ifndef MEMDB_IMPORT_MOVED_H
#define MEMDB_IMPORT_MOVED_H

#include <stdint.h>

struct import;
struct moved;

struct moved_pages {
	/* pages that the last looks found on another node than before; emptied by
	 * moved_take_back() */
	struct moved *at;
	uint32_t n, cap;
	uint64_t until; /* time of the end of the last of these looks */
};

/* Callbacks that the models of home nodes call for pages that have moved: homes.changed of
 * im->model.homes and of im->model.shared_homes. arg is the import. */
void moved_found(void *arg, uint32_t process, uint64_t start, uint64_t end, uint64_t since);
void moved_in_file(void *arg, uint32_t file, uint64_t start, uint64_t end, uint64_t since);
/* Sets the home node of these pages to NULL in the stored rows. Call after the looks have been
 * handled. */
void moved_take_back(struct import *im);

#endif

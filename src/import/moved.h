/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Removes the home from rows of pages that moved to another node. */
#ifndef MEMDB_IMPORT_MOVED_H
#define MEMDB_IMPORT_MOVED_H

#include <stdint.h>

struct import;
struct moved;

struct moved_pages {
	struct moved *at; /* collected from the current looks */
	uint32_t n, cap;
	uint64_t until; /* end of the last of these looks */
};

/* Callbacks for homes.changed of im->model.homes and im->model.shared_homes; arg is the import. */
void moved_found(void *arg, uint32_t process, uint64_t start, uint64_t end, uint64_t since);
void moved_in_file(void *arg, uint32_t file, uint64_t start, uint64_t end, uint64_t since);
/* Clears the home in the rows of these pages that were written before the looks ended. */
void moved_take_back(struct import *im);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pages that are found elsewhere. */
#ifndef MEMDB_IMPORT_MOVED_H
#define MEMDB_IMPORT_MOVED_H

#include <stdint.h>

struct import;
struct moved;

struct moved_pages {
	struct moved *at; /* found by the looks at hand */
	uint32_t n, cap;
	uint64_t until; /* when the last of them was over */
};

/* homes.changed of im->homes, of im->shared_homes; arg is the import. */
void moved_found(void *arg, uint32_t process, uint64_t start, uint64_t end, uint64_t since);
void moved_in_file(void *arg, uint32_t file, uint64_t start, uint64_t end, uint64_t since);
/* What was written of these pages until the looks were over has no home any more. */
void moved_take_back(struct import *im);

#endif

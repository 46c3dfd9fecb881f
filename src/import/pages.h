/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whose a page is: a process's own, or a shared file's. */
#ifndef MEMDB_IMPORT_PAGES_H
#define MEMDB_IMPORT_PAGES_H

#include <stdbool.h>
#include <stdint.h>

#include "model/homes.h"
#include "model/shared.h"

struct import;

/* Pages of a process's addresses, and what they are in the model of homes. */
struct pages {
	struct homes *homes;
	uint32_t owner;                 /* `process` of that model */
	const struct shared_file *file; /* NULL: the process's own */
	uint64_t address, bytes;        /* in the process; pages_at(): bytes is 0 */
	uint64_t to;                    /* what the model calls that address */
};

/* The page of an address. */
struct pages pages_at(struct import *im, uint32_t process, uint64_t address);
/* The next part of [*at, end) that is of one owner; *at moves behind it. False at the end. */
bool pages_next(struct import *im, uint32_t process, uint64_t *at, uint64_t end, struct pages *p);

#endif

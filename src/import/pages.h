/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the owner of a page: a process, or a shared file. */
#ifndef MEMDB_IMPORT_PAGES_H
#define MEMDB_IMPORT_PAGES_H

#include <stdbool.h>
#include <stdint.h>

#include "model/homes.h"
#include "model/shared.h"

struct import;

/* A range of a process's addresses and its place in the model of homes. */
struct pages {
	struct homes *homes;
	uint32_t owner;                 /* the process or file id in that model */
	const struct shared_file *file; /* NULL means private memory of the process */
	uint64_t address, bytes;        /* address in the process; pages_at() sets bytes to 0 */
	uint64_t to;                    /* address or file offset in that model */
};

/* Returns the page that contains an address. bytes is 0. */
struct pages pages_at(struct import *im, uint32_t process, uint64_t address);
/* Finds the next part of [*at, end) that has a single owner, and moves *at to its end. Returns
 * false if nothing is left. */
bool pages_next(struct import *im, uint32_t process, uint64_t *at, uint64_t end, struct pages *p);

#endif

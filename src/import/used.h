/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Marks the call paths and locations that get a row. A program may allocate at half a million call
 * paths, but samples, objects and stored blocks refer to only some of them, and finding the source
 * lines of locations is the most expensive part of writing. A path keeps the id that it got when it
 * was first seen, so the ids in the table have gaps. */
#ifndef MEMDB_IMPORT_USED_H
#define MEMDB_IMPORT_USED_H

#include <stdbool.h>
#include <stdint.h>

#include "base/index.h"

struct import;

/* A set of ids: at[id - 1] is true if a row refers to the call path or location with this id. { 0 }
 * is the empty set. */
struct used_ids {
	bool *at;
	uint32_t n, cap;
};
struct used_code {
	struct used_ids call_paths, locations;
};

/* Marks a call path or a location, because a row refers to it. 0 is ignored. */
void used_call_path(struct import *im, uint32_t path);
void used_location(struct import *im, uint32_t location);

/* Marks the call paths of all objects, then the callers and the locations of all marked call paths.
 * Must be called when all other rows have been marked. */
void used_complete(struct import *im);

static inline bool used_has(const struct used_ids *u, uint32_t id)
{
	return id <= u->n && AT_ID(*u, id);
}

void used_release(struct used_code *u);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Marks which call paths and locations get a row. A program may allocate at half a million call
 * paths, but samples, objects and the stored blocks refer to only a part of them, and looking up
 * lines is the most expensive part of writing. Ids are assigned when a path is first seen, so those
 * without a row leave gaps.
 */
#ifndef MEMDB_IMPORT_USED_H
#define MEMDB_IMPORT_USED_H

#include <stdbool.h>
#include <stdint.h>

struct import;

/* By id: does a row refer to this call path or location? { 0 }: no row does. */
struct used_ids {
	bool *at;
	uint32_t n, cap;
};
struct used_code {
	struct used_ids call_paths, locations;
};

/* Marks a call path or a location because a row refers to it. Ignores 0. */
void used_call_path(struct import *im, uint32_t path);
void used_location(struct import *im, uint32_t location);

/* Marks the call paths of all objects, and the callers and locations of all marked call paths. Call
 * when all other rows are known. */
void used_complete(struct import *im);

static inline bool used_has(const struct used_ids *u, uint32_t id)
{
	return id <= u->n && u->at[id - 1];
}

void used_release(struct used_code *u);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which call paths and locations have a row. A program may allocate at half a million call paths,
 * of which samples, objects and the blocks that matter need a part; looking up lines costs more
 * than anything else that is written for them. Ids are given when a path is first seen, so those
 * without a row leave gaps.
 */
#ifndef MEMDB_IMPORT_USED_H
#define MEMDB_IMPORT_USED_H

#include <stdbool.h>
#include <stdint.h>

struct import;

/* By id: is it referred to by a row? { 0 }: none are. */
struct used_ids {
	bool *at;
	uint32_t n, cap;
};
struct used_code {
	struct used_ids call_paths, locations;
};

/* A row refers to it; 0 is fine. */
void used_call_path(struct import *im, uint32_t path);
void used_location(struct import *im, uint32_t location);

/* Every row but those of call paths and locations is known, or its call path: adds the callers and
 * the code of all call paths. */
void used_complete(struct import *im);

static inline bool used_has(const struct used_ids *u, uint32_t id)
{
	return id <= u->n && u->at[id - 1];
}

void used_release(struct used_code *u);

#endif

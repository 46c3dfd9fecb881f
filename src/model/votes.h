/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts, by samples, which instructions accessed each heap object. The type that an instruction
 * accesses shows the type of the object. */
#ifndef MEMDB_MODEL_VOTES_H
#define MEMDB_MODEL_VOTES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/index.h"

/* One instruction that accessed an object. */
struct vote {
	uint32_t object;
	uint32_t location; /* location of its samples */
	/* the instruction that made the access: bytes from that location, or from the start of
	 * its function */
	int32_t insn;
	bool from_start;
	uint32_t samples;
	uint64_t offset; /* offset of the first sample's address in the object's block */
	/* greatest common divisor of the differences between offsets; 0 means that all are equal */
	uint64_t step;
	uint32_t next; /* the object's next vote; 0 means none */
};

/* when there are this many votes, further instructions are not counted */
enum { VOTES_MOST = 1 << 20 };

struct votes {
	struct {
		struct vote *at;
		uint32_t n, cap;
	} votes;
	struct {
		uint32_t *at; /* indexed by object: its last vote */
		uint32_t n, cap;
	} objects;
	struct index index;
};

void votes_release(struct votes *v);

/* Counts a sample. The caller sets the members `object` to `offset` of *sample. Returns false
 * when out of memory. */
bool votes_add(struct votes *v, const struct vote *sample);

/* Returns the first vote of an object; 0 if there is none. `next` leads to the others. */
uint32_t votes_of(const struct votes *v, uint32_t object);

#endif

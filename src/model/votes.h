/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which instructions accessed each heap object, by samples: what they access it as tells its type.
 */
#ifndef MEMDB_MODEL_VOTES_H
#define MEMDB_MODEL_VOTES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/index.h"

/* One instruction that accessed an object. */
struct vote {
	uint32_t object;
	uint32_t location; /* where its samples were */
	/* the instruction that accessed: bytes from there, or from the start of its function */
	int32_t insn;
	bool from_start;
	uint32_t samples;
	uint64_t offset; /* in the object's block, of the first sample */
	uint64_t step;   /* greatest common divisor of the distances of all offsets; 0: all are the
			    same */
	uint32_t next;   /* the next one of the object; 0: none */
};

enum { VOTES_MOST = 1 << 20 }; /* beyond, new instructions have none */

struct votes {
	struct {
		struct vote *at;
		uint32_t n, cap;
	} votes;
	struct {
		uint32_t *at; /* by object: the vote added last */
		uint32_t n, cap;
	} objects;
	struct index index;
};

void votes_release(struct votes *v);

/* Counts a sample, given `object` to `offset` of vote. False when out of memory. */
bool votes_add(struct votes *v, const struct vote *sample);

/* The votes of an object begin here and go on by `next`; 0: none. */
uint32_t votes_of(const struct votes *v, uint32_t object);

#endif

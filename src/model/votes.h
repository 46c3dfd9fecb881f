/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts for each heap object the instructions that accessed it, and the samples of each. An
 * instruction "votes" for the type of the object: the type that it accesses, according to debug
 * information, is probably the object's type. */
#ifndef MEMDB_MODEL_VOTES_H
#define MEMDB_MODEL_VOTES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/index.h"

/* One instruction that accessed an object. VOTE_OTHERS: maximum number of further offsets that are
 * kept. */
enum { VOTE_OTHERS = 3 };
struct vote {
	uint32_t object;
	uint32_t location; /* the code location at which the samples were taken */
	/* the instruction that made the access: bytes from the start of the function if from_start
	 * is set, otherwise from `location` */
	int32_t insn;
	bool from_start;
	uint32_t samples;
	uint64_t offset; /* offset of the first sample's address in the object's block */
	/* greatest common divisor of the differences between the samples' offsets, a hint at the
	 * size of an element; 0 means that all offsets are equal */
	uint64_t step;
	uint64_t others[VOTE_OTHERS]; /* the next offsets, if they differ from each other */
	uint32_t nothers;
	uint32_t next; /* position + 1 in votes of another vote for the same object; 0 means none */
};

/* maximum number of votes; at this limit, further instructions are not counted */
enum { VOTES_MOST = 1 << 20 };

struct votes {
	struct {
		struct vote *at;
		uint32_t n, cap;
	} votes;
	struct {
		uint32_t *at; /* indexed by object - 1: position + 1 in votes.votes of the vote that
			       * was added last for the object */
		uint32_t n, cap;
	} objects;
	struct index index;
};

void votes_release(struct votes *v);

/* Counts a sample: adds a vote for its object and instruction, or increments the existing one. The
 * caller sets the members `object`, `location`, `insn`, `from_start` and `offset` of
 * *sample. Returns false when out of memory. */
bool votes_add(struct votes *v, const struct vote *sample);

/* Returns the position + 1 of the vote that was added last for an object; 0 if there is none. The
 * member `next` leads to the object's other votes. */
uint32_t votes_of(const struct votes *v, uint32_t object);

#endif

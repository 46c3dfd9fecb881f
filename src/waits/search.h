/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside waits/: searches through a function, backward from ip and forward from it. */
#ifndef MEMDB_WAITS_SEARCH_H
#define MEMDB_WAITS_SEARCH_H

#include "waits/value.h"

/* The accesses after an instruction, in terms of the registers there. Backward jumps are taken,
 * others are not; ends at a call. */
struct ahead {
	uint32_t n;
	struct ahead_access {
		uint32_t insn;      /* position in the function */
		int8_t base, index; /* its registers */
		enum wait_by by;    /* WAIT_BY_ADDRESS, WAIT_BY_BASE or WAIT_BY_NOTHING */
		uint8_t bytes;
		bool load;
		struct wait_address address;
	} at[WAIT_AHEAD];
};

void ahead_find(struct body *b, uint32_t ip, struct ahead *out);

/* Candidates of one way. */
struct found {
	uint32_t n;
	struct found_candidate {
		uint32_t insn;     /* position in the function */
		uint32_t distance; /* instructions to ip */
		struct wait_candidate c;
	} at[WAIT_CANDIDATES];
};

/*
 * Walks back from `from`, the instruction that ran before the one at ip. Limits: 400 instructions
 * on all ways together, 64 on one way, and once around a loop. False when out of memory.
 */
bool back_find(struct body *b, uint32_t from, uint32_t ip, const struct ahead *ahead,
	       struct found *out);

/* The loop by which the address of an access comes from the value that it loaded one iteration
 * before. */
struct recurrence {
	uint32_t n;           /* instructions in the loop; 0: there is no such loop */
	uint32_t first, last; /* its lowest and highest instruction, positions in the function */
};

/* For access k. At most 512 steps. */
struct recurrence recurrence_find(struct body *b, uint32_t k);

/* Bytes from the instruction at ip to k. */
static inline int64_t offset_from(const struct body *b, uint32_t k, uint32_t ip)
{
	return (int64_t)b->insns.at[k].at - (int64_t)b->insns.at[ip].at;
}

#endif

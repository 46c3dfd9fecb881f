/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Private to waits/: searches through a function, backward and forward from ip. */
#ifndef MEMDB_WAITS_SEARCH_H
#define MEMDB_WAITS_SEARCH_H

#include "waits/value.h"

/* The accesses after an instruction, in terms of the registers there. Backward branches count as
 * taken, forward ones as not taken. Ends at a call. */
struct ahead {
	uint32_t n;
	struct ahead_access {
		uint32_t insn;      /* position in the function */
		int8_t base, index; /* its registers */
		enum wait_by by;    /* WAIT_BY_ADDRESS, WAIT_BY_BASE or WAIT_BY_NOTHING */
		uint8_t bytes;
		bool load, store, lock;
		struct wait_address address;
	} at[WAIT_AHEAD];
};

void ahead_find(struct body *b, uint32_t ip, struct ahead *out);

/* The loads before an instruction whose addresses are known, on all ways that lead there. */
struct before {
	uint32_t n;
	struct before_access {
		uint32_t distance; /* instructions to ip */
		struct wait_access a;
	} at[WAIT_BEFORE];
};

/* The candidates of one way. */
struct found {
	uint32_t n;
	struct found_candidate {
		uint32_t insn;     /* position in the function */
		uint32_t distance; /* instructions to ip */
		struct wait_candidate c;
	} at[WAIT_CANDIDATES];
};

/* Finds the candidates backward from `from`, the instruction that ran before the one at ip. Limits:
 * 400 instructions on all ways together, 64 on one way, and once around a loop. Adds the loads with
 * a known address to *before. Returns false when out of memory. */
bool back_find(struct body *b, uint32_t from, uint32_t ip, const struct ahead *ahead,
	       struct found *out, struct before *before);

/* The loop in which the address of an access comes from the value that it loaded one iteration
 * before. */
struct recurrence {
	uint32_t n;           /* instructions in the loop; 0 means there is no such loop */
	uint32_t first, last; /* lowest and highest instruction of the loop, positions in the
			       * function */
};

/* Finds the recurrence of access k, in at most 512 steps. */
struct recurrence recurrence_find(struct body *b, uint32_t k);

/* Returns the bytes from the instruction at ip to k. */
static inline int64_t offset_from(const struct body *b, uint32_t k, uint32_t ip)
{
	return (int64_t)b->insns.at[k].at - (int64_t)b->insns.at[ip].at;
}

#endif

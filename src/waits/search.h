/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Searches through a function, backwards and forwards from ip; used only in waits/. */
#ifndef MEMDB_WAITS_SEARCH_H
#define MEMDB_WAITS_SEARCH_H

#include "waits/value.h"

/* The accesses that run after the instruction at ip. Their addresses are computed from the
 * registers at ip. A backward branch counts as taken, a forward one as not taken. The search
 * ends at a call. */
struct ahead {
	uint32_t n;
	struct ahead_access {
		uint32_t insn;      /* position of the instruction in the function */
		int8_t base, index; /* registers of its address */
		enum wait_by by;    /* WAIT_BY_ADDRESS, WAIT_BY_BASE or WAIT_BY_NOTHING */
		uint8_t bytes;
		bool load, store, lock;
		struct wait_address address;
	} at[WAIT_AHEAD];
};

void ahead_find(struct body *b, uint32_t ip, struct ahead *out);

/* The loads before the instruction at ip whose addresses are known, on all ways that lead to ip. */
struct before {
	uint32_t n;
	struct before_access {
		uint32_t distance; /* number of instructions from the load to ip */
		struct wait_access a;
	} at[WAIT_BEFORE];
};

/* The candidates (waits.h) on one way to ip. */
struct found {
	uint32_t n;
	struct found_candidate {
		uint32_t insn;     /* position of the instruction in the function */
		uint32_t distance; /* number of instructions from the candidate to ip */
		struct wait_candidate c;
	} at[WAIT_CANDIDATES];
};

/* Finds the candidates, going back from `from`, the instruction that ran before the one at ip.
 * Examines no more than 400 instructions on all ways and 64 on one way, and goes around a loop
 * only once. Also adds the loads with a known address to *before. Returns false when out of
 * memory. */
bool back_find(struct body *b, uint32_t from, uint32_t ip, const struct ahead *ahead,
	       struct found *out, struct before *before);

/* A loop in which the same load yields its own next address: its address comes from the value that
 * it loaded one iteration before. */
struct recurrence {
	uint32_t n; /* instructions in the loop; 0 means there is no such loop */
	/* lowest and highest instruction of the loop, as positions in the function */
	uint32_t first, last;
};

/* Finds the loop in which the load k yields its own next address, as p = p->next does. Gives up
 * after 512 steps back; then n is 0. */
struct recurrence recurrence_find(struct body *b, uint32_t k);

/* Returns how many bytes instruction k is after the instruction at position `ip` (negative:
 * before it). */
static inline int64_t offset_from(const struct body *b, uint32_t k, uint32_t ip)
{
	return (int64_t)b->insns.at[k].at - (int64_t)b->insns.at[ip].at;
}

#endif

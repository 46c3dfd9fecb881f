/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Searches a function backwards and forwards from ip (the sampled instruction). Used only in
 * waits/. */
#ifndef MEMDB_WAITS_SEARCH_H
#define MEMDB_WAITS_SEARCH_H

#include "waits/value.h"

/* The accesses of the instruction at ip and of those that run after it, up to the next call or
 * indirect jump. Their addresses are computed from the registers at ip. Backward branches are
 * assumed to be taken, forward branches not. */
struct ahead {
	uint32_t n;
	struct ahead_access {
		uint32_t insn;      /* position of the instruction in the function */
		int8_t base, index; /* registers of its operand; -1 means none */
		enum wait_by by;    /* WAIT_BY_ADDRESS, WAIT_BY_BASE or WAIT_BY_NOTHING */
		uint8_t bytes;
		bool load, store, lock;
		struct wait_address address;
	} at[WAIT_AHEAD];
};

void ahead_find(struct body *b, uint32_t ip, struct ahead *out);

/* The loads before the instruction at ip whose addresses are known, and the tests of the plan
 * (struct wait_test), on all ways (sequences of instructions) that lead to ip. */
struct before {
	uint32_t n;
	struct before_access {
		uint32_t distance; /* number of instructions between the load and ip */
		struct wait_access a;
	} at[WAIT_BEFORE];
	uint32_t ntests;
	struct wait_test tests[WAIT_TESTS];
};

/* The candidates (waits.h) on all ways (sequences of instructions that lead to ip) with the same
 * last instruction. */
struct found {
	uint32_t n;
	struct found_candidate {
		uint32_t insn;     /* position of the instruction in the function */
		uint32_t distance; /* number of instructions between the candidate and ip */
		struct wait_candidate c;
	} at[WAIT_CANDIDATES];
};

/* Finds the candidates, going backwards from instruction last.from, which may have run just before
 * the one at ip. Examines at most 400 instructions on all ways together and 64 on one way, and goes
 * around a loop only once. Before the loop around ip, finds only WAIT_ENTRY. Also adds the loads
 * with a known address, and the tests, to *before. Returns false when out
 * of memory. */
bool back_find(struct body *b, struct body_way last, uint32_t ip, const struct ahead *ahead,
	       struct found *out, struct before *before);

/* Finds how a sample shows that the conditional jump `from` did not continue at instruction `to`.
 * `v` has the values of the registers after the jump. Returns false if `from` is no such jump, or
 * if the values that it depends on are not known. */
bool taken_find(struct body *b, uint32_t from, uint32_t to, const struct values *v,
		struct wait_test *out);

/* Adds a test to *b and returns its bit; 0 if there are too many. */
uint32_t before_test(struct before *b, const struct wait_test *t);

/* Adds to *out the tests for the conditional jumps that lead to instruction k, as far back as only
 * one instruction may have run before. `v` has the values of the registers before k. Returns the
 * bits of the tests. */
uint32_t taken_guards(struct body *b, uint32_t k, const struct values *v, struct before *out);

/* The conditional jumps that always go the way to an instruction, or never in the same run of the
 * innermost loop around it: their operands do not change there. So if the instruction runs at all,
 * each iteration runs it. */
struct fixed_jumps {
	unsigned n;
	struct {
		uint32_t from, to; /* the jump, and the instruction after it on this way */
	} at[4];
};

/* Finds such jumps before instruction k, as far back as taken_guards(). */
void taken_fixed(struct body *b, uint32_t k, struct fixed_jumps *out);

/* Finds how a sample shows that it is in the first iteration of the loop with this head. `v` has
 * the values of the registers at the head. Returns false if the loop is entered in several places,
 * or if there is no such register. */
bool first_find(struct body *b, uint32_t head, uint32_t ip, const struct values *v,
		struct wait_test *out);

/* A loop in which a load yields its own next address: the address comes from the value that the
 * same load got one iteration before. */
struct recurrence {
	uint32_t n; /* number of instructions in the loop; 0 means that there is no such loop */
	/* lowest and highest instruction of the loop, as positions in the function */
	uint32_t first, last;
};

/* Finds the loop in which the load at instruction k yields its own next address, as p = p->next
 * does. The result's n is 0 if there is none, or if the search has not found one within its limits
 * (recurrence.c). */
struct recurrence recurrence_find(struct body *b, uint32_t k);

/* Returns the distance in bytes from the instruction at position `ip` to instruction k; negative if
 * k comes first. */
static inline int64_t offset_from(const struct body *b, uint32_t k, uint32_t ip)
{
	return (int64_t)b->insns.at[k].at - (int64_t)b->insns.at[ip].at;
}

#endif

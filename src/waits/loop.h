/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Examines the loops around an instruction: which code belongs to them (loop.c, detour.c), how long
 * their arithmetic takes (loop.c), and by how much the addresses of their accesses change in an
 * iteration (steps.c). Used only in waits/. */
#ifndef MEMDB_WAITS_LOOP_H
#define MEMDB_WAITS_LOOP_H

#include "waits/body.h"
#include "waits/waits.h"

/* Maximum numbers: instructions of a loop (longer ones are not examined), detours of a loop, their
 * instructions, and siblings; and bytes, see loop_creeps(). */
enum {
	LOOP_LONGEST = 256,
	LOOP_DETOURS = 4,
	LOOP_DETOUR_LONGEST = 128,
	LOOP_SIBLINGS = 4,
	LOOP_CREEP = 8
};

/* The instructions `first` to `last`, outside a loop, to which a jump of the loop leads and which
 * jump back to the loop's instruction `back`, without another way out. Compilers move what they
 * expect to run seldom, such as the body of an if statement, out of the loop. */
struct loop_detour {
	uint32_t first, last, back;
};

/* The instructions `first` to `last` of a function; last < first means that there is no loop. Bit i
 * of `skipped` is set if a branch inside the loop may skip instruction first + i, and bit i of
 * `joins` if a branch inside the loop leads to it. `branches` is set if there is such a branch, or
 * a call. */
struct loop {
	uint32_t first, last;
	uint64_t skipped[LOOP_LONGEST / 64], joins[LOOP_LONGEST / 64];
	bool branches, calls;
	uint8_t ndetours;
	struct loop_detour detours[LOOP_DETOURS];
	/* loops inside this one, besides the one to which it was found with loop_around(): their
	 * first and last instructions */
	uint8_t nsiblings;
	struct loop_range {
		uint32_t first, last;
	} siblings[LOOP_SIBLINGS];
};

static inline bool loop_bit(const uint64_t *bits, uint32_t i)
{
	return bits[i / 64] >> i % 64 & 1;
}

static inline void loop_set_bit(uint64_t *bits, uint32_t i)
{
	bits[i / 64] |= UINT64_C(1) << i % 64;
}

static inline bool loop_has(const struct loop *l, int64_t k)
{
	return k >= (int64_t)l->first && k <= (int64_t)l->last;
}

static inline bool loop_skips(const struct loop *l, uint32_t k)
{
	return loop_bit(l->skipped, k - l->first);
}

/* Returns the registers that an iteration of the loop may write, on a detour, too. */
struct regset loop_writes(struct body *b, const struct loop *l);
struct regset detour_writes(struct body *b, const struct loop_detour *d);

/* If instruction k jumps out of the loop and this is a detour, adds it to the loop. */
void loop_add_detour(const struct body *b, struct loop *l, uint32_t k);

/* Is instruction k in a detour of the loop? */
bool loop_detours(const struct loop *l, uint32_t k);

/* May the loop end at its instruction k? These jumps do not count: to a detour; out of the
 * function, to what the compiler expects not to run; and to code that ends with a call after which
 * the function has no more instructions, so that the callee, such as abort(), does not return. */
bool loop_ends_at(const struct body *b, const struct loop *l, uint32_t k);

/* Finds the smallest loop that contains the instructions `first` to `last` and at least `more`
 * others, whatever is in it: sets only first and last. Returns false if there is none. */
bool loop_smallest(const struct body *b, uint32_t first, uint32_t last, uint32_t more,
		   struct loop *out);

/* Does the address of the access at instruction k creep: do the loops around it only add constants
 * to its registers, at most LOOP_CREEP bytes each time? Then most accesses are to the line of the
 * one before. The loop around the innermost one that changes them must do so, too: otherwise each
 * run of the innermost one may begin elsewhere. */
bool loop_creeps(struct body *b, uint32_t k);

/* Finds the innermost loop that contains instruction k. Returns false if there is none, or if it
 * contains another loop or an indirect jump. */
bool loop_find(struct body *b, uint32_t k, struct loop *out);

/* Finds an innermost loop in the smallest loop around instruction k, if k is in this one but in no
 * loop inside it, or is on a detour of it. Returns false if there is no loop inside, or in the
 * cases in which loop_around() does. */
bool loop_inside(struct body *b, uint32_t k, struct loop *out);

/* Finds the next loop around *inner. Returns false if there is none, or if it contains an indirect
 * jump, or more than LOOP_SIBLINGS loops besides *inner and those in it, or if one of these
 * contains another loop. In the result, *inner and its siblings count as skipped, because it is not
 * known how often they run. */
bool loop_around(struct body *b, const struct loop *inner, struct loop *out);

/* Estimates how many cycles the arithmetic of one iteration takes, and counts the loop's accesses.
 * If the loop contains an x87 instruction, the result's n is 0. */
struct wait_loop loop_describe(struct body *b, const struct loop *l);

/* How much one iteration changes a register or an address. */
struct loop_step {
	int64_t step;              /* bytes; or WAIT_NO_STEP or WAIT_SOME_STEP */
	struct wait_stride stride; /* the value is a pointer plus a number that the loop does not
				      change; the loop loads the pointer from an array, whose
				      elements it visits with a constant step */
	/* the value is a pointer that the loop loads from an array through which it walks by a
	 * constant step, plus a number that the loop does not change */
	bool row;
};

/* An unknown step. */
static const struct loop_step no_step = { .step = WAIT_NO_STEP, .stride = { .reg = -1 } };

/* Returns by how much an iteration changes register r: WAIT_NO_STEP or WAIT_SOME_STEP as below. */
int64_t loop_register_step(struct body *b, const struct loop *l, int r);

/* Finds the loop's counter, which has the same value in all of *inner, the loop inside in which
 * samples are; NULL means that there is none. If several registers could be it, takes the one that
 * changes least in an iteration, because it wraps around last. */
struct wait_counter loop_counter(struct body *b, const struct loop *l, const struct loop *inner);

/* For each instruction k of the loop that accesses memory, sets steps[k - l->first] to the number
 * of bytes by which its address changes in one iteration: WAIT_NO_STEP if this number may not be
 * constant, WAIT_SOME_STEP if it is constant but unknown. */
void loop_steps(struct body *b, const struct loop *l, struct loop_step steps[LOOP_LONGEST]);

#endif

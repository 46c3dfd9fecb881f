/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the accesses that a timer sample may have waited for: its candidates.
 *
 * A timer interrupt is taken after the instruction that retired last. That instruction may have
 * waited for its own operand, or for a value from an earlier load: mulsd (a),%xmm0 after movsd
 * (p),%xmm0 waits for p. So each instruction pointer (ip) has candidates: operands of the
 * instructions before ip, on all ways (sequences of instructions) that lead to ip. A way goes at
 * most once around a loop. A call ends the search, because the effects of the callee are unknown.
 * share.h estimates which candidate a sample waited for.
 *
 * The addresses of candidates come from the sample's registers. If instructions between a candidate
 * and ip have changed a register by a known amount, the amount is subtracted. If a load has
 * overwritten its own address register (mov (%rax),%rax), the next access through the new pointer
 * represents it. If only a part of the address is still known, such as the value of the base
 * register, the object to which that part points represents the access.
 */
#ifndef MEMDB_WAITS_WAITS_H
#define MEMDB_WAITS_WAITS_H

#include "decode/decode.h"

enum wait_how {
	WAIT_OWN, /* the access is the operand of the instruction before ip */
	/* the instruction before ip uses the value that this access loaded, directly or through
	 * other instructions */
	WAIT_FLOW,
	/* like WAIT_FLOW, but the access loaded the value in the previous iteration of a loop */
	WAIT_CARRIED,
	WAIT_WINDOW, /* another access among the last few instructions before ip */
	WAIT_STORED, /* a store that ran before the instructions of WAIT_WINDOW */
	/* another load of the innermost loop (wait_plan.loop) that may overlap with the wait; see
	 * wait_is_beside() */
	WAIT_BESIDE,
	/* a load before the loop around ip. Its value is used in the first iteration only: each
	 * later iteration gets this value from the iteration before. It is unknown whether a sample
	 * is in the first iteration, so the address is unknown, too */
	WAIT_ENTRY,
};

enum wait_by {
	WAIT_BY_NOTHING, /* the address is lost: its registers have been overwritten */
	WAIT_BY_ADDRESS, /* the address is known from its own registers */
	/* the address is known from a copy of a register that was made before the register was
	 * overwritten */
	WAIT_BY_COPY,
	/* the address is lost; `address` is what the load accesses the next time it runs, or an
	 * access through the pointer that it loaded: see `apart` */
	WAIT_BY_NEXT,
	/* the address is lost; `address` is another one in the same object */
	WAIT_BY_BASE,
};

/* A part of an address: the value of register `reg` in the sample, plus `add`. If reg is -1, it is
 * only `add`. If wraps32 is set, only the lower 32 bits of the sum count. */
struct wait_term {
	int8_t reg; /* PERF_REG_* */
	bool wraps32;
	int32_t add;
};

struct wait_address {
	struct wait_term base, index;
	uint8_t scale;        /* factor of the index */
	bool ip_relative;     /* whether disp is relative to the ip of the sample */
	bool thread_relative; /* whether the thread pointer must be added to the sum */
	bool wraps32;         /* whether only the lower 32 bits of the sum count */
	int64_t disp;
};

/* Number of bytes by which an address changes in an iteration of a loop: `add` plus `times` * the
 * value of register `reg` in the sample. If reg is -1, it is only `add`. */
struct wait_stride {
	bool known;
	int8_t reg; /* PERF_REG_* of a register that the loop does not write */
	int32_t times;
	int64_t add;
};

/* Conditions of struct wait_test, as numbers of x86's conditional jumps. The lowest bit negates. */
enum {
	CONDITION_OVERFLOW = 0,
	CONDITION_BELOW = 2, /* unsigned */
	CONDITION_EQUAL = 4,
	CONDITION_BELOW_OR_EQUAL = 6,
	CONDITION_NEGATIVE = 8,
	CONDITION_PARITY = 10,
	CONDITION_LESS = 12, /* signed */
};

/*
 * How a sample shows that some candidates did not run: `value`, which depends on a register,
 * compared with `against` fulfils `condition`. There are two kinds:
 * - The sample is in the first iteration of a loop, so nothing ran in an iteration before. `value`
 * is a register to which each iteration adds a constant, as it was at the start of the iteration;
 * it equals what the register contains when the loop is entered.
 * - A conditional jump went another way than the one with these candidates.
 */
struct wait_test {
	struct wait_term value;
	struct wait_address against;
	uint8_t condition; /* number of a condition of x86; never overflow or parity */
	bool half;         /* whether only the lower 32 bits are compared */
};

struct wait_candidate {
	uint32_t insn; /* offset of the instruction from the start of the function, bytes */
	uint8_t how;   /* a value of enum wait_how */
	uint8_t by;    /* a value of enum wait_by, which says what `address` is */
	/* number of the way (sequence of instructions that leads to ip) that contains the
	 * candidate */
	uint8_t way;
	/* size of the access, or of each element of a gather or scatter; 0 means unknown */
	uint8_t bytes;
	/* number of addresses that it accesses each time it runs: the elements of a gather or
	 * scatter, otherwise 1. The addresses of elements are not known (WAIT_BY_BASE) */
	uint8_t elements;
	bool load, store;
	bool loaded;   /* whether it is a store, and a load shortly before it has read the same
			* address */
	bool optional; /* whether it stores, and a jump on the way to ip may skip it in some
			* iterations of its loop and not in others */
	bool lock;
	/* mask of the tests wait_plan.tests: if one of them is true, the candidate did not run
	 * before this sample */
	uint32_t tests;
	/* the same for tests that exclude only the way for which `address` was found: if one of
	 * them is true, the candidate had another address */
	uint32_t moved;
	/* for a load whose address comes from the value that it loaded in the previous iteration of
	 * a loop: number of instructions in this loop; otherwise 0 */
	uint8_t loop;
	/* lowest and highest instruction of this loop, as offsets like insn */
	uint32_t loop_start, loop_end;
	struct wait_address address;
	/* for WAIT_BY_NEXT: bytes from `address` to the address that the load will access next,
	 * without its index; and whether the load's operand has an index */
	int32_t apart;
	bool indexed;
	/* for WAIT_BY_NEXT: whether `address` is that of an access through the loaded pointer */
	bool pointee;
	/* number of bytes by which its address changes in an iteration; see struct wait_access */
	int32_t step;
	struct wait_stride stride; /* the same number, also if it depends on a register */
	uint8_t distance; /* number of instructions from it to the one before ip; 255 means more */
	bool creeps;      /* whether its address changes by a few bytes at a time (loop_creeps()) */
	/* whether an iteration accesses more than half of the bytes of a cache line around its
	 * address, together with other instructions of the loop; only set if it has a step that may
	 * be larger than a cache line */
	bool dense;
	/* number of cache lines that the loads of the innermost loop touch around its address in an
	 * iteration, as far as the code shows: those with the same registers and the same step.
	 * Each element of a gather counts as a line */
	uint8_t lines;
	/* whether the access may be to an element of a matrix's row: the loop loads the addresses
	 * of the rows from an array of pointers, one after the other, and does not change the rest
	 * of the address. Not set if the loaded value may be an index instead of an address: if it
	 * is multiplied, or if the access has only one byte */
	bool row;
	/* number of bytes over which its addresses spread while its base register does not change,
	 * if a constant bounds the index; 0 means unknown */
	uint64_t span;
};

/* An access before or after ip with a known address. */
struct wait_access {
	uint32_t insn;
	uint8_t bytes, elements; /* as in struct wait_candidate; elements: not in a plan */
	bool load, store, lock;
	/* number of bytes by which its address moves in an iteration of the plan's loop.
	 * WAIT_NO_STEP: perhaps not constant; WAIT_SOME_STEP: constant, but unknown. Not set in
	 * wait_plan.earlier */
	int32_t step;
	struct wait_address address;
};

#define WAIT_NO_STEP   INT32_MIN
#define WAIT_SOME_STEP INT32_MAX

/* Most that a loop's counter changes in an iteration. */
enum { COUNTER_MOST = 1 << 16 };

/* A register that shows how a loop goes on. */
struct wait_counter {
	uint8_t reg;  /* PERF_REG_* of a register to which each iteration adds `adds` */
	int32_t adds; /* at most COUNTER_MOST, up or down; 0: there is no such register */
	/* mask of the registers (PERF_REG_* bits) that the loop reads and does not write: they stay
	 * the same until the loop ends */
	uint64_t fixed;
};

/* Returns a mask of the registers (PERF_REG_* bits) of *c; 0 if there is no counter. */
static inline uint64_t wait_counter_registers(const struct wait_counter *c)
{
	return c->adds ? c->fixed | UINT64_C(1) << c->reg : 0;
}

/* The innermost loop around the instruction before ip, and how long its arithmetic takes. */
struct wait_loop {
	/* number of instructions; 0 means that there is no loop, or that it contains an indirect
	 * jump, another loop or an x87 instruction, or is too long */
	uint16_t n;
	uint16_t accesses;   /* number of instructions that access memory other than the stack
			      * frame */
	bool calls;          /* whether it calls a function. What this function does is not known */
	bool branches;       /* whether a branch inside the loop skips a part of it, or it calls */
	bool overlaps;       /* whether this loop and another one overlap, and neither contains the
			      * other: then control may leave this loop and come back into its middle */
	uint32_t start, end; /* its lowest and highest instruction: bytes from the start of the
			      * function */
	/* cycles that an iteration takes if all accesses hit the first cache level: `least` on the
	 * fastest CPUs, `likely` on usual ones */
	float least, likely;
	struct wait_counter counter;
	/* number of conditional jumps that skip a part of the loop and depend on data that the loop
	 * loads: the CPU may mispredict them */
	uint8_t jumps;
	/* for the first two of these jumps, the sum of the cycles from the jump until its condition
	 * is known in the next iteration. A mispredicted jump takes that much longer, because the
	 * CPU has thrown away what it had done ahead */
	float resolve;
};

/* Largest step in bytes that the hardware prefetches, because it prefetches only within a page. */
enum { WAIT_PREFETCHED = 2048 };

/* Number of instructions that a core may have in flight: the size of its reorder buffer. */
enum { WAIT_REORDER = 448 };

enum { WAIT_WAYS = 3, WAIT_CANDIDATES = 32, WAIT_AHEAD = 16, WAIT_BEFORE = 16, WAIT_TESTS = 32 };

/* Number of instructions that may retire together, including the one before ip. */
enum { WAIT_TOGETHER = 8 };

struct nest;

/* What the code around an ip shows: the candidates and other accesses. `ways` is the number of ways
 * (sequences of instructions) that lead to ip, where all ways with the same last instruction count
 * as one. It is 0 if the ways are unknown or more than WAIT_WAYS, or if the architecture is not
 * supported. */
struct wait_plan {
	uint8_t ways, n, ahead, before, ntests;
	/* bit mask of the ways on which a conditional jump is among the last few instructions
	 * before ip, without an access between the jump and ip. Jumps that close a loop do not
	 * count */
	uint8_t jumps;
	/* if exactly one way leads to ip: the position, relative to ip, of the last byte of the
	 * instruction that runs before ip. It is usually -1; if that instruction is a jump to ip,
	 * it is another number. Otherwise 0 */
	int32_t last;
	const struct wait_candidate *candidates; /* n candidates, sorted by way, then by `how` */
	/* `ahead` accesses of the instruction at ip and of those after it, in program order: those
	 * whose addresses can be computed from a sample's registers */
	const struct wait_access *accesses;
	/* `before` loads before ip, in program order: those whose addresses can be computed, too */
	const struct wait_access *earlier;
	const struct wait_test *tests; /* ntests tests; struct wait_candidate refers to them */
	struct wait_loop loop;
	/* the loops around the instruction before ip and their accesses (nest.h); NULL if there is
	 * at most one loop, or if not all accesses are known */
	const struct nest *nest;
};

/* Does an access with this step (struct wait_access) walk through memory in equal steps that are
 * too large to be prefetched? WAIT_SOME_STEP counts as such a step. */
static inline bool wait_is_walk(int32_t step)
{
	return step != WAIT_NO_STEP && (step > WAIT_PREFETCHED || step < -WAIT_PREFETCHED);
}

static inline bool wait_loop_has(const struct wait_loop *l, uint32_t insn)
{
	return l->n && insn >= l->start && insn <= l->end;
}

/* Are misses of candidate *c in flight together with other misses of the loop? In a loop without
 * branches inside, this is true for all loads. In a loop with branches, it is true only for walks
 * (wait_is_walk()): their addresses depend on no other load, so the CPU knows them early. */
static inline bool wait_is_beside(const struct wait_loop *l, const struct wait_candidate *c)
{
	return c->load && wait_loop_has(l, c->insn) && (!l->branches || wait_is_walk(c->step));
}

/* Is the address of candidate *c lost, and is it a pointer that the loop takes from an array, one
 * after the other? Such pointers usually lead to scattered places, in another object than the array
 * and perhaps also than the next access. */
static inline bool wait_is_pointed(const struct wait_candidate *c)
{
	return c->row && !c->loop && (c->pointee || c->by == WAIT_BY_NOTHING);
}

struct waits;

/* Opens *out, which the caller must free with waits_close(). *d is borrowed and must outlive *out.
 * Returns 0 or MD_ENOMEM. Data flow is decoded only for x86-64, so for AArch64 every plan is
 * empty. */
int waits_open(struct decoder *d, enum dec_arch arch, struct waits **out, struct md_err *err);
void waits_close(struct waits *w); /* w may be NULL */

/* Gets the plan for samples whose ip is at byte `at` of code[0..len), which begins with a function.
 * `key` identifies the function, as for decoder_recipe(), and code must stay valid until
 * waits_close(). The plan is empty if the function is larger than 512 KiB, or if no instruction
 * begins at `at`. A call takes about 50 us; the first call for a function also needs one pass over
 * its code. So it should be called only once for each ip. w owns *out, which is valid until
 * waits_close(). Returns 0 or MD_ENOMEM. */
int waits_plan(struct waits *w, uint64_t key, const uint8_t *code, size_t len, size_t at,
	       const struct wait_plan **out);

/* Computes a value from the registers of the sample, as for wait_address(). */
uint64_t wait_term_value(const struct wait_term *t, const uint64_t regs[64]);

/* Computes an address. regs[] has the registers of the sample, indexed by PERF_REG_*; `ip` is the
 * sample's. If a->thread_relative is set, the caller must add the thread pointer. */
uint64_t wait_address(const struct wait_address *a, const uint64_t regs[64], uint64_t ip);

/* Returns a mask of the registers (PERF_REG_* bits) whose values wait_address() needs. */
uint64_t wait_registers(const struct wait_address *a);

/* Is the test true for a sample with these registers? wait_test_registers() returns a mask of the
 * registers that it needs. */
bool wait_test_is_true(const struct wait_test *t, const uint64_t regs[64], uint64_t ip);
uint64_t wait_test_registers(const struct wait_test *t);

/* Computes the number of bytes that *s describes, from the registers of the sample. */
int64_t wait_stride_bytes(const struct wait_stride *s, const uint64_t regs[64]);

#endif

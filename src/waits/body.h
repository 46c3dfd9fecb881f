/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One function as a list of instructions, with the jumps between them; used only in waits/. One
 * pass over the bytes finds where instructions begin and where jumps lead. What an instruction does
 * (struct operation) is decoded only when it is needed. */
#ifndef MEMDB_WAITS_BODY_H
#define MEMDB_WAITS_BODY_H

#include "decode/insn.h"

enum {
	/* maximum number of words of the stack frame that are tracked */
	BODY_SLOTS = 64,
	BODY_SLOT = 64, /* register number of the first of these words */
	/* number of registers, including these words */
	BODY_REGISTERS = BODY_SLOT + BODY_SLOTS,
	BODY_NOWHERE = -1,
	/* registers below this number are general registers, apart from ip and flags */
	BODY_GENERAL = 24,
};

/* A set of registers. Words of the stack frame count as registers, because compilers spill
 * registers to them. */
struct regset {
	uint64_t regs;
	uint64_t slots;
};

/* What one instruction does: which registers it reads and writes, and which memory it accesses. */
struct operation {
	struct regset reads, writes;
	struct insn_move move; /* its members `to` and `from` may also be words of the stack
				* frame */
	struct insn_sum sum;
	struct insn_constant constant;
	struct insn_compare compare;
	struct insn_mem mem;
	/* whether the instruction accesses memory (`mem`) other than a tracked word of the stack
	 * frame */
	bool access;
	/* whether it may access memory at addresses that are not described: those of a string
	 * instruction, of an unknown instruction */
	bool obscure;
	bool is_mov;
	bool x87;       /* whether it uses the x87 stack; all x87 registers have one number */
	uint8_t math;   /* a value of enum insn_math */
	uint8_t growth; /* a value of enum insn_growth */
	uint32_t most;  /* as in struct insn */
};

struct body_insn {
	uint32_t at; /* offset from the start of the function, bytes */
	/* for a jump, the position in `insns` of the instruction to which it leads. BODY_NOWHERE
	 * means that it leads out of the function, or that this is not a direct jump */
	int32_t target;
	uint32_t operation; /* position + 1 in body.operations; 0 means not decoded yet */
	/* position in body.jumps of the first jump that leads to this instruction or to a later
	 * one */
	uint32_t jumps;
	uint8_t size, flow; /* flow: a value of enum insn_flow */
};

/* The result of body_before(): an instruction, `from`, that may have run just before another
 * one. */
struct body_way {
	uint32_t from;
	bool around; /* whether the step from this instruction closes a loop */
};

/* Maximum number of instructions that body_before() finds. */
enum { BODY_WAYS = 8 };

struct body {
	struct decoder *decoder;
	const uint8_t *code;
	size_t len;
	struct {
		struct body_insn *at;
		uint32_t n, cap;
	} insns;
	struct {
		struct body_jump {
			uint32_t to, from;
		} * at; /* sorted by `to`, then by `from` */
		uint32_t n, cap;
	} jumps;
	struct {
		struct operation *at;
		uint32_t n, cap;
	} operations;
	struct {
		struct body_loop {
			uint32_t from, to;
			bool closes;
		} * at; /* steps that closes_loop() has examined so far, and its results */
		uint32_t n, cap;
	} loops;
	struct {
		int8_t base;
		int64_t disp;
	} slots[BODY_SLOTS];
	uint32_t nslots;
	bool indirect; /* whether the function has a jump whose target is in a register or a
			* table */
	/* whether body_all_before() may miss jumps: code[0..len) ends with other bytes than
	 * instructions, a jump leads into an instruction, or a conditional jump leads out of the
	 * code, to a part from which the function may jump back */
	bool partial;
	bool frame_pointer; /* whether rbp contains the address of the stack frame */
	bool has_private;   /* whether these are known: see body_private_slots(), body_kept_in() */
	uint64_t private_slots;
	int8_t kept[BODY_SLOTS];
	bool nomem;
};

/* Reads the instructions of the function code[0..len), up to the first byte that is not an
 * instruction. The code must outlive *b. Returns false when out of memory; body_release() must be
 * called even then. */
bool body_init(struct body *b, struct decoder *d, const uint8_t *code, size_t len);
void body_release(struct body *b);

/* Returns the position of the instruction that begins at byte `at`, or BODY_NOWHERE. */
int64_t body_find(const struct body *b, size_t at);

/* Returns what instruction k does. Valid until the next call. */
const struct operation *body_operation(struct body *b, uint32_t k);

/*
 * Finds the instructions that may have run just before instruction k, and stores them in out[].
 * Returns their number. Returns 0 if there are none, at the start of the function, or if they are
 * unknown: after a call, where an indirect jump of the function may lead, if there are more than
 * BODY_WAYS, or if more than 16 jumps lead to k. At the head of a loop, only the instructions that
 * close the loop count, because the loop is entered once but repeated often. One of them may be the
 * instruction right before k, if the loop is entered by a jump to k. Nops that align k do not
 * count.
 */
unsigned body_before(struct body *b, uint32_t k, struct body_way out[BODY_WAYS]);

/* If instruction k is the head of a loop, finds those instructions that may have run just before it
 * and do not close the loop: those by which it is entered. Otherwise like body_before(), also where
 * that returns 0. */
unsigned body_entries(struct body *b, uint32_t k, struct body_way out[BODY_WAYS]);

/* Finds all instructions that may run just before instruction k, in memory order or by a jump, and
 * stores their positions in out[]. A call counts as one: it returns to k. Returns their number;
 * BODY_NOWHERE if some of them are unknown, in a function with an indirect jump or with jumps that
 * may be missing (`partial`), or if BODY_WAYS or more jumps lead to k. Ways by which an exception
 * gets to k are not found. */
int body_all_before(struct body *b, uint32_t k, uint32_t out[BODY_WAYS]);

/* Returns the number of bytes of memory that *b uses. */
size_t body_bytes(const struct body *b);

/* May the instruction that follows in memory run next? */
static inline bool body_falls_through(const struct body_insn *i)
{
	return i->flow == FLOW_ON || i->flow == FLOW_BRANCH || i->flow == FLOW_CALL;
}

static inline bool regset_has(const struct regset *s, int reg)
{
	return reg < BODY_SLOT ? s->regs >> reg & 1 : s->slots >> (reg - BODY_SLOT) & 1;
}

static inline void regset_add(struct regset *s, int reg)
{
	if (reg < BODY_SLOT)
		s->regs |= UINT64_C(1) << reg;
	else
		s->slots |= UINT64_C(1) << (reg - BODY_SLOT);
}

static inline struct regset regset_and(struct regset a, struct regset b)
{
	return (struct regset){ a.regs & b.regs, a.slots & b.slots };
}

static inline bool regset_any(struct regset s)
{
	return s.regs || s.slots;
}

/* Removes the lowest register of a set that is not empty, and returns it. */
static inline int regset_take(struct regset *s)
{
	uint64_t *word = s->regs ? &s->regs : &s->slots;
	const int bit = __builtin_ctzll(*word);

	*word &= *word - 1;
	return bit + (word == &s->slots ? BODY_SLOT : 0);
}

#endif

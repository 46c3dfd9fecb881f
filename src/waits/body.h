/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Private to waits/: one function as instructions and the ways between them. A pass over its bytes
 * finds instruction boundaries and jumps. An instruction is decoded when it is needed.
 */
#ifndef MEMDB_WAITS_BODY_H
#define MEMDB_WAITS_BODY_H

#include "decode/insn.h"

enum {
	BODY_SLOTS = 32,                         /* words of the stack frame that are tracked */
	BODY_SLOT = 64,                          /* register number of the first word */
	BODY_REGISTERS = BODY_SLOT + BODY_SLOTS, /* number of registers */
	BODY_NOWHERE = -1,
};

/* A set of registers. A word of the stack frame counts as a register, because compilers spill
 * registers to it. */
struct regset {
	uint64_t regs;
	uint32_t slots;
};

/* The effects of one instruction. */
struct operation {
	struct regset reads, writes;
	struct insn_move move; /* to and from may be words of the frame */
	struct insn_mem mem;
	bool access; /* the instruction accesses mem, which is not a word of the frame */
	bool is_mov;
};

struct body_insn {
	uint32_t at;        /* bytes from the start of the function */
	int32_t target;     /* position of a jump's target; BODY_NOWHERE: not in the function */
	uint32_t operation; /* position + 1; 0 means not decoded yet */
	uint8_t size, flow; /* flow: enum insn_flow */
};

/* A way to an instruction. */
struct body_way {
	uint32_t from;
	bool around; /* by the jump that closes a loop */
};

enum { BODY_WAYS = 3 };

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
		} * at; /* by `to`, then by `from` */
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
		} * at; /* backward jumps examined so far */
		uint32_t n, cap;
	} loops;
	struct {
		int8_t base;
		int64_t disp;
	} slots[BODY_SLOTS];
	uint32_t nslots;
	bool indirect;      /* contains a jump to an address from a register or a table */
	bool frame_pointer; /* rbp holds the frame's address */
	bool nomem;
};

/* Reads code[0..len), which must outlive b, up to the first byte that does not decode. Returns
 * false when out of memory. Call body_release() in any case. */
bool body_init(struct body *b, struct decoder *d, const uint8_t *code, size_t len);
void body_release(struct body *b);

/* Returns the position of the instruction that begins at byte `at`, or BODY_NOWHERE. */
int64_t body_find(const struct body *b, size_t at);

/* Returns the effects of instruction k. Valid until the next call. */
const struct operation *body_operation(struct body *b, uint32_t k);

/*
 * Finds the instructions that may have run before k. Returns their number, at most BODY_WAYS.
 * Returns 0 if they are unknown: after a call, in a function with an indirect jump, or if there are
 * more. For the head of a loop, only the ends of the loop count, because the loop is entered only
 * once.
 */
unsigned body_before(struct body *b, uint32_t k, struct body_way out[BODY_WAYS]);

/* Returns the bytes of memory that b uses. */
size_t body_bytes(const struct body *b);

static inline bool regset_has(const struct regset *s, int reg)
{
	return reg < BODY_SLOT ? s->regs >> reg & 1 : s->slots >> (reg - BODY_SLOT) & 1;
}

static inline void regset_add(struct regset *s, int reg)
{
	if (reg < BODY_SLOT)
		s->regs |= UINT64_C(1) << reg;
	else
		s->slots |= UINT32_C(1) << (reg - BODY_SLOT);
}

static inline struct regset regset_and(struct regset a, struct regset b)
{
	return (struct regset){ a.regs & b.regs, a.slots & b.slots };
}

static inline bool regset_any(struct regset s)
{
	return s.regs || s.slots;
}

#endif

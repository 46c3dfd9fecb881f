/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Inside waits/: one function as instructions and the ways between them. A pass over its bytes
 * finds instruction boundaries and jumps; an instruction is decoded when needed.
 */
#ifndef MEMDB_WAITS_BODY_H
#define MEMDB_WAITS_BODY_H

#include "decode/insn.h"

enum {
	BODY_SLOTS = 32,                         /* words of the stack frame that are tracked */
	BODY_SLOT = 64,                          /* number of the first as a register */
	BODY_REGISTERS = BODY_SLOT + BODY_SLOTS, /* all registers have lower numbers */
	BODY_NOWHERE = -1,
};

/* A set of registers. A word of the stack frame counts as a register, because compilers spill to
 * it. */
struct regset {
	uint64_t regs;
	uint32_t slots;
};

/* What one instruction does. */
struct operation {
	struct regset reads, writes;
	struct insn_move move; /* to and from may be words of the frame */
	struct insn_mem mem;
	bool access; /* it accesses mem, which is not a word of the frame */
	bool is_mov;
};

struct body_insn {
	uint32_t at;        /* bytes from the start of the function */
	int32_t target;     /* of a jump, or BODY_NOWHERE: outside */
	uint32_t operation; /* position + 1, 0: not decoded yet */
	uint8_t size, flow; /* flow: enum insn_flow */
};

/* A way to an instruction. */
struct body_way {
	uint32_t from;
	bool around; /* through the jump that closes a loop */
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
		} * at; /* in order */
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

/* Passes over code[0..len), which must outlive b, up to the first byte that does not decode. False
 * when out of memory. Call body_release() in any case. */
bool body_init(struct body *b, struct decoder *d, const uint8_t *code, size_t len);
void body_release(struct body *b);

/* The instruction that begins at `at`, or BODY_NOWHERE. */
int64_t body_find(const struct body *b, size_t at);

/* Valid until the next call. */
const struct operation *body_operation(struct body *b, uint32_t k);

/*
 * The instructions that may have run before k; at most BODY_WAYS. 0 if they are unknown: after a
 * call, in a function with an indirect jump, or if there are more. For the head of a loop only the
 * end of the loop counts, because the loop is entered only once.
 */
unsigned body_before(struct body *b, uint32_t k, struct body_way out[BODY_WAYS]);

/* Memory used by b. */
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

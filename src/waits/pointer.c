/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "waits/pointer.h"

#include <string.h>

#include "base/index.h"
#include "decode/perf_regs.h"
#include "waits/body.h"
#include "waits/multiple.h"

enum {
	MOST_CODE = 512 << 10,
	MOST_STEPS = 2048, /* maximum number of instructions back to the one that wrote the
			    * register */
	MOST_SEARCHES = 8, /* maximum number of searches that are open at the same time */
	MOST_LOOP = 4096,  /* maximum number of instructions of a loop that step_of_loop()
			    * examines */
	/* minimum distance, in bytes of code, between two hops with the same register; if hops are
	 * closer, only the one nearest to the access is reported */
	FAR = 64,
};

/* Mask of the registers that may contain an address: all general ones except the stack pointer. */
#define GENERAL UINT64_C(0xff007f)

/* A search, which goes backwards from the access. It has reached instruction k, and now looks for
 * the instruction before k that wrote the register `reg`. */
struct search {
	uint32_t k;
	int reg; /* a register number of body.h, which may represent a word of the frame */
	uint8_t depth;
	int64_t loads[POINTER_LOADS];
	int64_t add; /* as in struct pointer_hop */
	uint64_t step;
};

/* The searches that are not finished. If a register is the sum of two registers, either of them may
 * contain the pointer, so there is a search for each. A register that contains a product is left
 * out, because it is an index. */
struct searches {
	struct search at[MOST_SEARCHES];
	unsigned n, all; /* number of searches now, and number of all that were added */
	uint64_t frame;  /* mask of the registers that contain the address of the stack frame */
};

/* Returns the minimum distance, in bytes of code, between two hops with the same register. It is
 * FAR near the access and grows with the distance from the access to the hop at `at`, so that the
 * hops of a long search fit into the trace. */
static uint32_t far_from(uint32_t access, uint32_t at)
{
	return at < access && (access - at) / 4 > FAR ? (access - at) / 4 : FAR;
}

/* Adds a hop at instruction s->k. According to debug information, a register usually begins to
 * contain another variable only where the register changes or where a block begins. So of several
 * nearby instructions with the same register, only one is reported. The last instruction of a
 * search (`ends`) is always reported. */
static void add_hop(const struct body *b, const struct search *s, bool ends,
		    struct pointer_trace *out)
{
	const struct pointer_hop *last = out->n ? &out->hops[out->n - 1] : NULL;
	const uint32_t at = b->insns.at[s->k].at;
	const bool in_slot = s->reg >= BODY_SLOT;
	const int reg = in_slot ? b->slots[s->reg - BODY_SLOT].base : s->reg;
	const int64_t slot = in_slot ? b->slots[s->reg - BODY_SLOT].disp : 0;
	struct pointer_hop *h;

	if (out->n == POINTER_HOPS)
		return;
	if (last && last->reg == reg && last->in_slot == in_slot && last->slot == slot &&
	    last->depth == s->depth && last->add == s->add && last->step == s->step &&
	    (ends ? at == last->insn
		  : at < last->insn && last->insn - at < far_from(out->hops[0].insn, at)))
		return;
	h = &out->hops[out->n++];
	*h = (struct pointer_hop){ .insn = at,
				   .reg = (int8_t)reg,
				   .in_slot = in_slot,
				   .slot = slot,
				   .depth = s->depth,
				   .add = s->add,
				   .step = s->step };
	memcpy(h->loads, s->loads, sizeof(h->loads));
}

static void push(struct searches *all, const struct search *s)
{
	if (all->n < MOST_SEARCHES && all->all++ < 4 * MOST_SEARCHES)
		all->at[all->n++] = *s;
}

/* If instruction `op` loads the register of search `s` from memory, adds a search for the base
 * register of the load's address. */
static void push_load(struct searches *all, const struct search *s, const struct operation *op)
{
	struct search next = *s;

	if (!op->access || !op->mem.load || op->mem.base < 0 || op->mem.base == REG_X86_SP ||
	    op->mem.bytes != 8 || s->depth == POINTER_LOADS)
		return;
	next.loads[next.depth++] = op->mem.disp;
	next.reg = op->mem.base;
	push(all, &next);
}

/* If instruction `op` computes the register of search `s` as a sum, adds a search for each of the
 * registers in the sum. */
static void push_sum(struct body *b, struct searches *all, const struct search *s,
		     const struct operation *op)
{
	uint64_t reads = op->reads.regs & GENERAL & ~all->frame;
	struct search next = *s;

	if (op->access && op->mem.base >= 0)
		reads &= ~(UINT64_C(1) << op->mem.base);
	if (op->access && op->mem.index >= 0)
		reads &= ~(UINT64_C(1) << op->mem.index);
	for (; reads; reads &= reads - 1) {
		next.reg = __builtin_ctzll(reads);
		if (part_multiple(b, s->k, next.reg) > 1)
			continue;
		if (!s->depth)
			next.step = common_divisor(s->step, rest_multiple(b, s->k, next.reg));
		push(all, &next);
	}
}

/* Continues search s at the instruction `op`, which writes the search's register: adds a search for
 * each register from which `op` computes the new value. */
static void search_operands(struct body *b, struct searches *all, const struct search *s,
			    const struct operation *op)
{
	struct search next = *s;

	if (op->move.to == s->reg && op->move.from >= 0) {
		next.reg = op->move.from;
		if (!s->depth)
			next.add += op->move.add;
		if (!s->depth && op->move.wraps32)
			next.step = 1;
		push(all, &next);
		return;
	}
	if (!op->is_mov)
		push_sum(b, all, s, op);
	push_load(all, s, op);
}

/* Returns the greatest common divisor of `step` and all constants that the instructions [first,
 * last] of a loop add to register reg: each iteration changes the register by a multiple of the
 * result. Returns 1 if the loop also writes the register in another way or is too long, or if the
 * limit of work (POINTER_WORK) is reached. */
static uint64_t step_of_loop(struct body *b, uint32_t first, uint32_t last, int reg, uint64_t step,
			     struct pointer_trace *out)
{
	if (last - first > MOST_LOOP)
		return 1;
	for (uint32_t i = first; i <= last && step != 1; i++) {
		const struct operation *op = body_operation(b, i);
		const uint64_t add = (uint64_t)op->move.add;

		if (++out->work >= POINTER_WORK)
			return 1;
		if (!regset_has(&op->writes, reg))
			continue;
		if (op->move.to != reg || op->move.from != reg || op->move.wraps32)
			return 1;
		step = common_divisor(step, op->move.add < 0 ? -add : add);
	}
	return step;
}

/* Search s goes back from instruction s->k to instruction `before`. If a loop begins between the
 * two, it may have run any number of times and added a constant to the register each time: includes
 * these constants in s->step. */
static void add_steps(struct body *b, struct search *s, uint32_t before, struct pointer_trace *out)
{
	if (s->depth)
		return;
	for (uint32_t i = VEC_LOWER_BOUND(&b->jumps, to, before + 1);
	     i < b->jumps.n && s->step != 1; i++) {
		const struct body_jump *j = &b->jumps.at[i];

		if (j->to > s->k)
			break;
		if (++out->work >= POINTER_WORK)
			s->step = 1;
		else if (j->from >= j->to)
			s->step = step_of_loop(b, j->to, j->from, s->reg, s->step, out);
	}
}

/* If instruction s->k copies the stack pointer to the register of search s, also reports a hop for
 * the stack pointer itself, after that instruction. Debug information may say that the stack
 * pointer contains the address of an array from there on. */
static void add_stack_pointer(struct body *b, const struct search *s, struct pointer_trace *out)
{
	const struct operation *op = body_operation(b, s->k);
	struct search copied = *s;

	if (op->move.to != s->reg || op->move.from != REG_X86_SP || s->k + 1 >= b->insns.n)
		return;
	copied.reg = REG_X86_SP;
	copied.add += op->move.add;
	copied.k++;
	add_hop(b, &copied, true, out);
}

/* Does instruction k write the register, or the word of the frame? A call changes the stack
 * pointer, but the callee restores it, so the words of the frame stay the same. */
static bool writes_register(struct body *b, uint32_t k, int reg)
{
	return regset_has(&body_operation(b, k)->writes, reg) &&
	       (reg < BODY_SLOT || b->insns.at[k].flow != FLOW_CALL);
}

/* Called if no instruction falls through to instruction k. Usually k is then the head of a loop.
 * Returns the jump from before the loop into the loop: gcc -O1 enters a loop at its condition,
 * which is at its end. Returns BODY_NOWHERE if there is no such jump, or if the limit of work
 * (POINTER_WORK) is reached. */
static int64_t entry_from_below(const struct body *b, uint32_t k, struct pointer_trace *out)
{
	uint32_t last = k;

	if (!k || b->insns.at[k - 1].flow == FLOW_CALL)
		return BODY_NOWHERE;
	for (uint32_t i = VEC_LOWER_BOUND(&b->jumps, to, k);
	     i < b->jumps.n && b->jumps.at[i].to <= last && out->work < POINTER_WORK;
	     i++, out->work++) {
		const struct body_jump *j = &b->jumps.at[i];

		if (j->from < k)
			return j->from;
		if (j->to == k && j->from > last)
			last = j->from;
	}
	return BODY_NOWHERE;
}

/* Goes back to the instruction that wrote the register of search s, and reports on the way which
 * registers contain the pointer. */
static void follow_back(struct body *b, struct search s, struct searches *all,
			struct pointer_trace *out)
{
	for (int i = 0; i < MOST_STEPS && out->n < POINTER_HOPS && out->work < POINTER_WORK;
	     i++, out->work++) {
		int64_t before;
		bool ends, written;

		add_hop(b, &s, false, out);
		before = body_back(b, s.k, s.reg);
		if (before < 0 || before >= s.k)
			before = entry_from_below(b, s.k, out);
		ends = before < 0;
		written = !ends && writes_register(b, (uint32_t)before, s.reg);
		if (ends || written)
			add_hop(b, &s, true, out);
		if (ends)
			return;
		add_steps(b, &s, (uint32_t)before, out);
		s.k = (uint32_t)before;
		if (written) {
			add_stack_pointer(b, &s, out);
			struct operation op = *body_operation(b, s.k);

			search_operands(b, all, &s, &op);
			return;
		}
	}
}

static void trace(struct body *b, uint32_t k, struct pointer_trace *out)
{
	const struct operation *op = body_operation(b, k);
	struct searches all = { .frame = UINT64_C(1) << REG_X86_SP };

	if (!op->access || op->mem.base < 0 || op->mem.ip_relative)
		return;
	/* with an index, the stack pointer may be the address of an array of variable length */
	if (op->mem.base == REG_X86_SP && op->mem.index < 0)
		return;
	if (b->frame_pointer)
		all.frame |= UINT64_C(1) << REG_X86_BP;
	out->disp = op->mem.disp;
	push(&all, &(struct search){ .k = k,
				     .reg = op->mem.base,
				     .step = op->mem.index < 0 ? 0 : op->mem.scale });
	while (all.n)
		follow_back(b, all.at[--all.n], &all, out);
}

int pointer_trace(struct decoder *d, const uint8_t *code, size_t len, size_t at,
		  struct pointer_trace *out)
{
	struct body b = { 0 };
	int64_t k;
	int ret = 0;

	*out = (struct pointer_trace){ 0 };
	if (len > MOST_CODE)
		return 0;
	if (!body_init(&b, d, code, len) || b.nomem)
		ret = MD_ENOMEM;
	k = ret ? BODY_NOWHERE : body_find(&b, at);
	if (k >= 0)
		trace(&b, (uint32_t)k, out);
	if (b.nomem)
		ret = MD_ENOMEM;
	body_release(&b);
	return ret;
}

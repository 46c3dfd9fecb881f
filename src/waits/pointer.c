/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "waits/pointer.h"

#include <string.h>

#include "base/index.h"
#include "decode/perf_regs.h"
#include "waits/body.h"

enum {
	MOST_CODE = 512 << 10,
	MOST_STEPS = 256,  /* limit: number of instructions back to the one that wrote the
			    * register */
	MOST_SEARCHES = 8, /* limit: number of searches that are open at the same time */
	MOST_LOOP = 4096,  /* limit: instructions of a loop in which steps are searched */
	/* minimal distance, in bytes, of two reported instructions with the same register */
	FAR = 64,
};

/* Mask of the registers that may contain an address: all general ones except the stack pointer. */
#define GENERAL UINT64_C(0xff007f)

/* Returns the position of an instruction that ran before k (one of them, if there are several), or
 * BODY_NOWHERE. If that is a call, the search can go on only if `reg` is a register that the callee
 * preserves. */
static int64_t step_back(struct body *b, uint32_t k, int reg)
{
	const uint64_t saved = UINT64_C(1) << REG_X86_BX | UINT64_C(1) << REG_X86_BP |
			       UINT64_C(1) << REG_X86_R12 | UINT64_C(1) << REG_X86_R13 |
			       UINT64_C(1) << REG_X86_R14 | UINT64_C(1) << REG_X86_R15;
	struct body_way ways[BODY_WAYS];
	unsigned n;

	if (!k)
		return BODY_NOWHERE;
	if (b->insns.at[k - 1].flow == FLOW_CALL)
		return reg >= BODY_SLOT || saved >> reg & 1 ? (int64_t)k - 1 : BODY_NOWHERE;
	n = body_before(b, k, ways);
	for (unsigned i = 0; i < n; i++)
		if (!ways[i].around)
			return ways[i].from;
	return b->insns.at[k - 1].flow == FLOW_ON || b->insns.at[k - 1].flow == FLOW_BRANCH
		       ? (int64_t)k - 1
		       : BODY_NOWHERE;
}

/* A search, which goes backwards from the access. It has reached instruction k and looks for the
 * instruction before k that wrote the register `reg`. */
struct search {
	uint32_t k;
	int reg; /* a register number of body.h, which may stand for a word of the frame */
	uint8_t depth;
	int64_t loads[POINTER_LOADS];
	int64_t add; /* as in struct pointer_hop */
	uint64_t step;
};

/* The searches that are not finished. If a register is the sum of two, either of them may contain
 * the pointer, so there is a search for each. */
struct searches {
	struct search at[MOST_SEARCHES];
	unsigned n, all;
};

/* Adds a hop at instruction s->k. In debug information, the variable in a register changes mostly
 * where the register changes or where a block begins. So nearby instructions with the same register
 * are not reported again, except the last one of the search (`ends`). */
static void add_hop(const struct body *b, const struct search *s, bool ends,
		    struct pointer_trace *out)
{
	const struct pointer_hop *last = out->n ? &out->hops[out->n - 1] : NULL;
	const uint32_t at = b->insns.at[s->k].at;
	struct pointer_hop *h;

	if (s->reg >= BODY_SLOT || out->n == POINTER_HOPS)
		return;
	if (last && last->reg == s->reg && last->depth == s->depth && last->add == s->add &&
	    last->step == s->step &&
	    (ends ? at == last->insn : at < last->insn && last->insn - at < FAR))
		return;
	h = &out->hops[out->n++];
	*h = (struct pointer_hop){
		.insn = at, .reg = (int8_t)s->reg, .depth = s->depth, .add = s->add, .step = s->step
	};
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
static void push_sum(struct searches *all, const struct search *s, const struct operation *op)
{
	uint64_t reads = op->reads.regs & GENERAL;
	struct search next = *s;

	if (!s->depth)
		next.step = 1;
	if (op->access && op->mem.base >= 0)
		reads &= ~(UINT64_C(1) << op->mem.base);
	if (op->access && op->mem.index >= 0)
		reads &= ~(UINT64_C(1) << op->mem.index);
	for (; reads; reads &= reads - 1) {
		next.reg = __builtin_ctzll(reads);
		if (next.reg != REG_X86_SP)
			push(all, &next);
	}
}

/* Continues search s at the instruction `op`, which writes the search's register: adds searches for
 * the registers that this instruction reads. */
static void explain(struct searches *all, const struct search *s, const struct operation *op)
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
		push_sum(all, s, op);
	push_load(all, s, op);
}

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/* Returns the greatest common divisor of `step` and all constants that the instructions [first,
 * last] of a loop add to register reg: each iteration changes it by a multiple of that. 1 means
 * that the loop also writes the register in another way, or is too long. */
static uint64_t step_of_loop(struct body *b, uint32_t first, uint32_t last, int reg, uint64_t step)
{
	if (last - first > MOST_LOOP)
		return 1;
	for (uint32_t i = first; i <= last && step != 1; i++) {
		const struct operation *op = body_operation(b, i);
		const uint64_t add = (uint64_t)op->move.add;

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
static void add_steps(struct body *b, struct search *s, uint32_t before)
{
	if (s->depth)
		return;
	for (uint32_t i = VEC_LOWER_BOUND(&b->jumps, to, before + 1);
	     i < b->jumps.n && s->step != 1; i++) {
		const struct body_jump *j = &b->jumps.at[i];

		if (j->to > s->k)
			break;
		if (j->from >= j->to)
			s->step = step_of_loop(b, j->to, j->from, s->reg, s->step);
	}
}

/* Goes back to the instruction that wrote the register of search s, and reports on the way which
 * registers contain the pointer. */
static void follow_back(struct body *b, struct search s, struct searches *all,
			struct pointer_trace *out)
{
	for (int i = 0; i < MOST_STEPS && out->n < POINTER_HOPS; i++) {
		int64_t before;
		bool ends, written;

		add_hop(b, &s, false, out);
		before = step_back(b, s.k, s.reg);
		ends = before < 0 || before >= s.k;
		written = !ends && regset_has(&body_operation(b, (uint32_t)before)->writes, s.reg);
		if (ends || written)
			add_hop(b, &s, true, out);
		if (ends)
			return;
		add_steps(b, &s, (uint32_t)before);
		s.k = (uint32_t)before;
		if (written) {
			explain(all, &s, body_operation(b, s.k));
			return;
		}
	}
}

static void trace(struct body *b, uint32_t k, struct pointer_trace *out)
{
	const struct operation *op = body_operation(b, k);
	struct searches all = { 0 };

	if (!op->access || op->mem.base < 0 || op->mem.base == REG_X86_SP || op->mem.ip_relative)
		return;
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

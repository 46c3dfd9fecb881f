/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "waits/multiple.h"

#include "decode/perf_regs.h"

enum {
	MOST_BACK = 64, /* limit: instructions back to the one that wrote a register */
	MOST_DEEP = 8,  /* limit: depth of sums whose parts are sums */
};

uint64_t common_divisor(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

int64_t body_back(struct body *b, uint32_t k, int reg)
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

/* A value: `times` times the result of the instruction `root` in its register `reg`. If that
 * instruction is not found, root is -1 - k, and the result is the value of `reg` before instruction
 * k. Two values with the same root and register can be added exactly. */
struct multiple {
	uint64_t times;
	int64_t root;
	int reg;
};

static struct multiple value_before(struct body *b, uint32_t k, int reg, int deep);

/* Returns the sum of two values; `times` of either may be 0. If their roots differ, only a divisor
 * of the sum is known: the greatest common divisor of both `times`. */
static struct multiple add_values(struct multiple x, struct multiple y, int64_t root, int reg)
{
	if (!x.times || !y.times)
		return x.times ? x : y;
	if (x.root == y.root && x.reg == y.reg)
		return (struct multiple){ x.times + y.times, x.root, x.reg };
	return (struct multiple){ common_divisor(x.times, y.times), root, reg };
}

/* Returns one part of a sum that instruction k computes, as a value (struct multiple). */
static struct multiple part_of(struct body *b, uint32_t k, const struct insn_sum *s, int part,
			       int deep)
{
	struct multiple x = { 0 };

	if (s->from[part] < 0)
		return x;
	x = value_before(b, k, s->from[part], deep);
	x.times *= s->times[part];
	return x;
}

/* Returns the value that instruction k leaves in register reg. */
static struct multiple value_after(struct body *b, uint32_t k, int reg, int deep)
{
	const struct operation *op = body_operation(b, k);
	const struct insn_sum s = op->sum;
	const struct insn_move m = op->move;

	if (deep == MOST_DEEP)
		return (struct multiple){ 1, k, reg };
	if (m.to == reg && m.from >= BODY_SLOT && !m.add)
		return value_before(b, k, m.from, deep + 1);
	if (m.to == reg && m.add)
		return (struct multiple){ 1, k, reg };
	if (m.to == reg && reg >= BODY_SLOT)
		return value_before(b, k, m.from, deep + 1);
	if (s.to != reg)
		return (struct multiple){ 1, k, reg };
	return add_values(part_of(b, k, &s, 0, deep + 1), part_of(b, k, &s, 1, deep + 1), k, reg);
}

/* Returns the value of register reg before instruction k. */
static struct multiple value_before(struct body *b, uint32_t k, int reg, int deep)
{
	for (int i = 0; i < MOST_BACK; i++) {
		const int64_t before = body_back(b, k, reg);

		if (before < 0 || before >= k)
			break;
		k = (uint32_t)before;
		if (regset_has(&body_operation(b, k)->writes, reg))
			return value_after(b, k, reg, deep);
	}
	return (struct multiple){ 1, -1 - (int64_t)k, reg };
}

uint64_t rest_multiple(struct body *b, uint32_t k, int reg)
{
	const struct insn_sum s = body_operation(b, k)->sum;
	const int part = s.from[0] == reg ? 0 : 1;

	if (s.to < 0 || s.from[part] != reg || s.times[part] != 1 || s.from[0] == s.from[1])
		return 1;
	return part_of(b, k, &s, !part, 0).times;
}

uint64_t part_multiple(struct body *b, uint32_t k, int reg)
{
	const struct insn_sum s = body_operation(b, k)->sum;
	const int part = s.from[0] == reg ? 0 : 1;

	return s.to < 0 || s.from[part] != reg ? 1 : part_of(b, k, &s, part, 0).times;
}

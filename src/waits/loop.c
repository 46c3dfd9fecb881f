/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "waits/loop.h"

#include <math.h>

enum { TURNS = 16 }; /* number of simulated iterations; the first half of them only warms up */

/* How many cycles operations take, according to the manuals of CPU vendors. */
struct speed {
	double latency[MATH_ROOT + 1]; /* from the operands to the result, for each enum
					* insn_math */
	double busy[MATH_ROOT + 1];    /* from the start until the next operation of this kind
					* can start */
	double load;                   /* latency of a load that hits the first cache level */
	double width, loads;           /* number of instructions, and of loads, that can start in
					* one cycle */
};

/* `fastest` has the best values of all current CPUs, `usual` has typical values. */
static const struct speed fastest = {
	.latency = { 1, 2, 3, 4, 10, 12 },
	.busy = { 0, 0.5, 0.5, 0.5, 4, 4 },
	.load = 4,
	.width = 6,
	.loads = 3,
};
static const struct speed usual = {
	.latency = { 1, 3.5, 4, 4, 14, 18 },
	.busy = { 0, 0.5, 0.5, 0.5, 5, 6 },
	.load = 5,
	.width = 4,
	.loads = 2,
};

static bool is_skipped(const struct loop *l, uint32_t k)
{
	return l->skipped[(k - l->first) / 64] >> (k - l->first) % 64 & 1;
}

/* Marks in l->skipped the instructions that branches inside the loop may skip. Returns false if the
 * loop contains another loop, or a call. */
static bool look_inside(const struct body *b, struct loop *l)
{
	for (uint32_t k = l->first; k <= l->last; k++) {
		const struct body_insn *i = &b->insns.at[k];
		bool inside = i->target >= (int64_t)l->first && i->target <= (int64_t)l->last;

		if (i->flow == FLOW_CALL || i->flow == FLOW_INDIRECT)
			return false;
		if (!inside || i->target == (int64_t)l->first)
			continue;
		if (i->target <= (int64_t)k)
			return false;
		l->branches = true;
		for (uint32_t s = k + 1; s < (uint32_t)i->target; s++)
			l->skipped[(s - l->first) / 64] |= UINT64_C(1) << (s - l->first) % 64;
	}
	return true;
}

bool loop_find(struct body *b, uint32_t k, struct loop *out)
{
	uint32_t least = LOOP_LONGEST;

	*out = (struct loop){ .first = 1 };
	for (uint32_t i = 0; i < b->jumps.n && b->jumps.at[i].to <= k; i++) {
		const struct body_jump *j = &b->jumps.at[i];

		if (j->from < k || j->from - j->to >= least)
			continue;
		least = j->from - j->to;
		out->first = j->to;
		out->last = j->from;
	}
	if (least < LOOP_LONGEST && look_inside(b, out))
		return true;
	*out = (struct loop){ .first = 1 };
	return false;
}

/* Simulates an instruction, which starts as soon as its operands are ready. ready[] is indexed by
 * register: the cycle in which the register gets its value. */
static void run_insn(const struct operation *o, const struct speed *s, double *ready)
{
	bool loads = o->access && o->mem.load, copies = o->move.to >= 0 && !o->move.add;
	double at = 0, math = s->latency[o->math];

	if (o->math == MATH_SIMPLE && (loads || copies))
		math = 0;
	for (int r = 0; r < BODY_REGISTERS; r++)
		if (regset_has(&o->reads, r)) {
			bool address = loads && (r == o->mem.base || r == o->mem.index);

			at = fmax(at, ready[r] + (address ? s->load : 0));
		}
	for (int r = 0; r < BODY_REGISTERS; r++)
		if (regset_has(&o->writes, r))
			ready[r] = at + math;
}

static double latest(const double *ready)
{
	double last = 0;

	for (int r = 0; r < BODY_REGISTERS; r++)
		last = fmax(last, ready[r]);
	return last;
}

/* Returns the number of cycles by which one iteration of the loop lengthens the longest chain of
 * dependent instructions. */
static double chain_of(struct body *b, const struct loop *l, const struct speed *s)
{
	double ready[BODY_REGISTERS] = { 0 }, warm = 0;

	for (int turn = 0; turn < TURNS; turn++) {
		if (turn == TURNS / 2)
			warm = latest(ready);
		for (uint32_t k = l->first; k <= l->last; k++)
			if (!is_skipped(l, k))
				run_insn(body_operation(b, k), s, ready);
	}
	return (latest(ready) - warm) / (TURNS - TURNS / 2);
}

/* Returns the number of cycles for which one iteration of the loop keeps the CPU's execution units
 * busy. */
static double occupation_of(struct body *b, const struct loop *l, const struct speed *s)
{
	double busy = 0, insns = 0, loads = 0;

	for (uint32_t k = l->first; k <= l->last; k++) {
		const struct operation *o = body_operation(b, k);

		if (is_skipped(l, k))
			continue;
		busy += s->busy[o->math];
		loads += o->access && o->mem.load;
		insns++;
	}
	return fmax(busy, fmax(insns / s->width, loads / s->loads));
}

struct wait_loop loop_describe(struct body *b, const struct loop *l)
{
	struct wait_loop out = { .n = (uint16_t)(l->last - l->first + 1),
				 .branches = l->branches,
				 .start = b->insns.at[l->first].at,
				 .end = b->insns.at[l->last].at };

	for (uint32_t k = l->first; k <= l->last; k++) {
		const struct operation *o = body_operation(b, k);

		if (o->x87)
			return (struct wait_loop){ 0 };
		out.accesses += o->mem.load || o->mem.store ? o->access : 0;
	}
	out.least = (float)fmax(chain_of(b, l, &fastest), occupation_of(b, l, &fastest));
	out.likely = (float)fmax(chain_of(b, l, &usual), occupation_of(b, l, &usual));
	return out;
}

/* How much one iteration of the loop changes each register: a number, WAIT_NO_STEP or
 * WAIT_SOME_STEP. */
struct steps {
	int64_t at[BODY_REGISTERS];
};

static bool changes_itself(const struct operation *o, int r)
{
	return o->move.to == r && o->move.from == r;
}

static int64_t add_steps(int64_t a, int64_t b)
{
	if (a == WAIT_NO_STEP || b == WAIT_NO_STEP)
		return WAIT_NO_STEP;
	return a == WAIT_SOME_STEP || b == WAIT_SOME_STEP ? WAIT_SOME_STEP : a + b;
}

static struct regset written_in(struct body *b, const struct loop *l)
{
	struct regset all = { 0 };

	for (uint32_t k = l->first; k <= l->last; k++) {
		const struct operation *o = body_operation(b, k);

		all.regs |= o->writes.regs;
		all.slots |= o->writes.slots;
	}
	return all;
}

/* Does the instruction only add to register r values that are the same in each iteration? `written`
 * is the set of registers that the loop writes. */
static bool adds_unchanged(const struct operation *o, int r, const struct regset *written)
{
	if (o->growth != GROWTH_FIXED || !regset_has(&o->reads, r))
		return false;
	for (int x = 0; x < BODY_REGISTERS; x++)
		if (x != r && regset_has(&o->reads, x) && regset_has(written, x))
			return false;
	return true;
}

/* Finds the steps of registers (struct steps) at the start of an iteration. They are known for two
 * kinds of registers: those that the loop does not write, and those to which the loop only adds the
 * same value in each iteration. */
static void find_first_steps(struct body *b, const struct loop *l, struct steps *s)
{
	const struct regset written = written_in(b, l);

	*s = (struct steps){ { 0 } };
	for (uint32_t k = l->first; k <= l->last; k++) {
		const struct operation *o = body_operation(b, k);

		for (int r = 0; r < BODY_REGISTERS; r++) {
			int64_t step = WAIT_NO_STEP;

			if (!regset_has(&o->writes, r))
				continue;
			if (changes_itself(o, r) && !is_skipped(l, k))
				step = o->move.add;
			else if (adds_unchanged(o, r, &written) && !is_skipped(l, k))
				step = WAIT_SOME_STEP;
			s->at[r] = add_steps(s->at[r], step);
		}
	}
}

/* Returns the step (struct steps) of the value that an instruction computes from registers with the
 * steps *s. */
static int64_t result_step(const struct operation *o, const struct steps *s)
{
	int64_t sum = 0;

	if (o->move.to >= 0)
		return s->at[o->move.from];
	/* a result that depends on no register, as after mov $0,%eax, does not continue the value
	 * of the previous iteration */
	if (o->growth == GROWTH_UNKNOWN || !regset_any(o->reads))
		return WAIT_NO_STEP;
	for (int r = 0; r < BODY_REGISTERS; r++)
		if (regset_has(&o->reads, r))
			sum = add_steps(sum, s->at[r]);
	return sum && sum != WAIT_NO_STEP && o->growth == GROWTH_FIXED ? WAIT_SOME_STEP : sum;
}

static void pass_insn(const struct operation *o, bool skipped, struct steps *s)
{
	int64_t step = skipped ? WAIT_NO_STEP : result_step(o, s);

	for (int r = 0; r < BODY_REGISTERS; r++)
		if (regset_has(&o->writes, r) && !changes_itself(o, r))
			s->at[r] = step;
}

static int32_t address_step(const struct insn_mem *m, const struct steps *s)
{
	int64_t base = m->base < 0 ? 0 : s->at[m->base], index = m->index < 0 ? 0 : s->at[m->index];
	int64_t sum = add_steps(base, index == WAIT_NO_STEP || index == WAIT_SOME_STEP
					      ? index
					      : index * m->scale);

	return sum != (int32_t)sum ? WAIT_SOME_STEP : (int32_t)sum;
}

void loop_steps(struct body *b, const struct loop *l, int32_t steps[LOOP_LONGEST])
{
	struct steps s;

	find_first_steps(b, l, &s);
	/* The first pass does not know yet the steps of registers that keep their value from one
	 * iteration to the next. */
	for (int pass = 0; pass < 2; pass++)
		for (uint32_t k = l->first; k <= l->last; k++) {
			const struct operation o = *body_operation(b, k);

			steps[k - l->first] = o.access ? address_step(&o.mem, &s) : WAIT_NO_STEP;
			pass_insn(&o, is_skipped(l, k), &s);
		}
}

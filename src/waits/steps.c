/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds by how much one iteration of a loop changes its registers, and so the addresses of its
 * accesses. */
#include "waits/loop.h"

#include <stdlib.h>

#include "decode/perf_regs.h"

/* How much one iteration of the loop changes each register. */
struct steps {
	struct loop_step at[BODY_REGISTERS];
	struct regset written; /* registers that the loop writes */
	/* registers written by instructions that a branch may skip. At the target of the branch,
	 * such a register may still have its value of the previous iteration, so its step is
	 * unknown from there on */
	struct regset skipped;
};

static struct loop_step constant_step(int64_t n)
{
	return (struct loop_step){ .step = n, .stride = { .known = true, .reg = -1, .add = n } };
}

static bool changes_itself(const struct operation *o, int r)
{
	return o->move.to == r && o->move.from == r;
}

/* Returns a + b. The result is not known if it depends on two registers, or if its `times`
 * overflows. */
static struct wait_stride add_strides(struct wait_stride a, struct wait_stride b)
{
	const struct wait_stride *r = a.reg >= 0 ? &a : &b;
	struct wait_stride sum = {
		.reg = r->reg,
		.add = (int64_t)((uint64_t)a.add + (uint64_t)b.add),
	};
	const bool overflows = __builtin_add_overflow(a.reg >= 0 ? a.times : 0,
						      b.reg >= 0 ? b.times : 0, &sum.times);

	sum.known = a.known && b.known && !overflows && (a.reg < 0 || b.reg < 0 || a.reg == b.reg);
	return sum;
}

static bool is_fixed(const struct loop_step *s)
{
	return s->step == 0;
}

static struct loop_step add_steps(struct loop_step a, struct loop_step b)
{
	struct loop_step sum = no_step;

	sum.row = (a.row && is_fixed(&b)) || (b.row && is_fixed(&a));
	if (a.step == WAIT_NO_STEP || b.step == WAIT_NO_STEP)
		return sum;
	sum.stride = add_strides(a.stride, b.stride);
	sum.step = a.step == WAIT_SOME_STEP || b.step == WAIT_SOME_STEP ? WAIT_SOME_STEP
									: a.step + b.step;
	return sum;
}

/* Returns the step of a product: of a value with step `a`, multiplied by `times`. `row` stays set
 * only if `times` is 1: a number that the program multiplies is an index, not the address of a row.
 */
static struct loop_step multiply_step(struct loop_step a, uint32_t times)
{
	a.row = a.row && times == 1;
	if (a.step != WAIT_NO_STEP && a.step != WAIT_SOME_STEP)
		return constant_step((int64_t)((uint64_t)a.step * times));
	a.stride.known = a.stride.known && (int64_t)a.stride.times * times <= INT32_MAX;
	if (a.stride.known) {
		a.stride.times *= (int32_t)times;
		a.stride.add = (int64_t)((uint64_t)a.stride.add * times);
	}
	return a;
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

/* Returns by how much an instruction for which adds_unchanged() is true changes register r. */
static struct loop_step unchanged_step(const struct operation *o, int r)
{
	const struct insn_sum *sum = &o->sum;
	int self = sum->from[1] == r; /* which of the two summands is r */
	struct loop_step s = { .step = WAIT_SOME_STEP, .stride = { .reg = -1 } };

	if (sum->to != r || sum->from[self] != r || sum->times[self] != 1 || sum->from[!self] < 0 ||
	    sum->from[!self] == r)
		return s;
	s.stride = (struct wait_stride){ .known = true,
					 .reg = sum->from[!self],
					 .times = (int32_t)sum->times[!self] };
	return s;
}

/* The value of a register at the end of an iteration: that of register `from` at its start, plus
 * `add`; from is -1 if it is another one. */
struct moved {
	int16_t from;
	int64_t add;
};

/* The registers that a detour which ends at instruction k writes come from nowhere. */
static void lose_detoured(struct body *b, const struct loop *l, uint32_t k,
			  struct moved at[BODY_REGISTERS])
{
	for (unsigned d = 0; d < l->ndetours; d++) {
		struct regset left = { 0 };

		if (l->detours[d].back == k)
			left = detour_writes(b, &l->detours[d]);
		while (regset_any(left))
			at[regset_take(&left)].from = -1;
	}
}

static void find_moved(struct body *b, const struct loop *l, struct moved at[BODY_REGISTERS])
{
	for (int r = 0; r < BODY_REGISTERS; r++)
		at[r] = (struct moved){ .from = (int16_t)r };
	for (uint32_t k = l->first; k <= l->last; k++) {
		const struct operation *o;
		struct moved to = { .from = -1 };

		lose_detoured(b, l, k, at);
		o = body_operation(b, k);
		if (o->move.to >= 0 && !loop_skips(l, k) && at[o->move.from].from >= 0) {
			to = at[o->move.from];
			to.add = (int64_t)((uint64_t)to.add + (uint64_t)o->move.add);
		}
		for (int r = 0; r < BODY_REGISTERS; r++)
			if (regset_has(&o->writes, r))
				at[r] = r == o->move.to ? to : (struct moved){ .from = -1 };
	}
}

/* Adds the steps of registers that advance by way of another register: with lea 8(%r8),%r13 and
 * mov %r13,%r8, both advance by 8. */
static void follow_moves(struct body *b, const struct loop *l, struct steps *s)
{
	struct moved at[BODY_REGISTERS];

	find_moved(b, l, at);
	for (int r = 0; r < BODY_REGISTERS; r++)
		if (s->at[r].step == WAIT_NO_STEP && at[r].from == r)
			s->at[r] = constant_step(at[r].add);
	for (int r = 0; r < BODY_REGISTERS; r++)
		if (s->at[r].step == WAIT_NO_STEP && at[r].from >= 0)
			s->at[r] = s->at[at[r].from];
}

static void forget_steps(struct regset which, struct steps *s)
{
	for (int r = 0; r < BODY_REGISTERS; r++)
		if (regset_has(&which, r))
			s->at[r] = no_step;
}

/* Finds the steps of registers (struct steps) at the start of an iteration. They are known for
 * registers that the loop does not write, to which it only adds the same value in each iteration,
 * or which it sets to such a register. */
static void find_first_steps(struct body *b, const struct loop *l, struct steps *s)
{
	s->written = loop_writes(b, l);
	for (int r = 0; r < BODY_REGISTERS; r++)
		s->at[r] = constant_step(0);
	for (uint32_t k = l->first; k <= l->last; k++) {
		const struct operation *o = body_operation(b, k);

		for (int r = 0; r < BODY_REGISTERS; r++) {
			struct loop_step step = no_step;

			if (!regset_has(&o->writes, r))
				continue;
			if (changes_itself(o, r) && !loop_skips(l, k))
				step = constant_step(o->move.add);
			else if (adds_unchanged(o, r, &s->written) && !loop_skips(l, k))
				step = unchanged_step(o, r);
			s->at[r] = add_steps(s->at[r], step);
		}
	}
	for (unsigned d = 0; d < l->ndetours; d++)
		forget_steps(detour_writes(b, &l->detours[d]), s);
	follow_moves(b, l, s);
}

int64_t loop_register_step(struct body *b, const struct loop *l, int r)
{
	struct steps s = { 0 };

	find_first_steps(b, l, &s);
	return s.at[r].step;
}

enum { NEAR_LOOPS = 4 /* maximum number of loops around an access that loop_creeps() examines */ };

/* What the instructions of a loop do to a register of an address: nothing; add a small constant, in
 * a loop inside, too, or not; or something else. */
enum change { CHANGE_NONE, CHANGE_SMALL, CHANGE_SMALL_INSIDE, CHANGE_OTHER };

/* Is instruction k in a loop inside *l that accesses memory through register r? */
static bool is_in_inner_loop(struct body *b, const struct loop *l, uint32_t k, int r)
{
	struct loop x;

	if (!loop_smallest(b, k, k, 0, &x) || (x.first == l->first && x.last == l->last))
		return false;
	for (uint32_t i = x.first; i <= x.last; i++) {
		const struct operation *o = body_operation(b, i);

		if (o->access && (o->mem.base == r || o->mem.index == r))
			return true;
	}
	return false;
}

/* Does the instruction set register r to a value that is the same in each iteration? Then the
 * accesses come back to the same place. */
static bool goes_back(const struct operation *o, int r, const struct regset *written)
{
	return o->move.to == r && o->move.from >= 0 && !regset_has(written, o->move.from);
}

static enum change change_of(struct body *b, const struct loop *l, const struct regset *written,
			     int r, int64_t scale)
{
	enum change all = CHANGE_NONE;

	for (uint32_t k = l->first; k <= l->last && r >= 0; k++) {
		const struct operation o = *body_operation(b, k);

		if (!regset_has(&o.writes, r) || goes_back(&o, r, written))
			continue;
		if (!changes_itself(&o, r) || llabs(o.move.add) > LOOP_CREEP / scale)
			return CHANGE_OTHER;
		if (all != CHANGE_SMALL_INSIDE)
			all = is_in_inner_loop(b, l, k, r) ? CHANGE_SMALL_INSIDE : CHANGE_SMALL;
	}
	return all;
}

bool loop_creeps(struct body *b, uint32_t k)
{
	const struct insn_mem m = body_operation(b, k)->mem;
	struct loop l = { .first = k, .last = k };

	for (int i = 0; i < NEAR_LOOPS && loop_smallest(b, l.first, l.last, i > 0, &l); i++) {
		const struct regset written = loop_writes(b, &l);
		const enum change base = change_of(b, &l, &written, m.base, 1);
		const enum change index = change_of(b, &l, &written, m.index, m.scale);

		if (base == CHANGE_OTHER || index == CHANGE_OTHER)
			return false;
		if (base == CHANGE_SMALL_INSIDE || index == CHANGE_SMALL_INSIDE)
			return true;
	}
	return false;
}

struct wait_counter loop_counter(struct body *b, const struct loop *l, const struct loop *inner)
{
	const struct regset inside = inner ? loop_writes(b, inner) : (struct regset){ 0 };
	struct wait_counter c = { 0 };
	struct steps s = { 0 };

	find_first_steps(b, l, &s);
	for (uint32_t k = l->first; k <= l->last; k++)
		c.fixed |= body_operation(b, k)->reads.regs;
	c.fixed &= ~s.written.regs & ((UINT64_C(1) << BODY_GENERAL) - 1) &
		   ~(UINT64_C(1) << REG_X86_IP | UINT64_C(1) << REG_X86_FLAGS);
	for (int r = 0; r < BODY_GENERAL; r++) {
		const int64_t step = s.at[r].step;

		if (!step || step == WAIT_NO_STEP || step == WAIT_SOME_STEP ||
		    regset_has(&inside, r) || llabs(step) > COUNTER_MOST ||
		    (c.adds && llabs(step) >= abs(c.adds)))
			continue;
		c.reg = (uint8_t)r;
		c.adds = (int32_t)step;
	}
	return c;
}

/* Returns the step of the sum that an instruction computes; no_step if it computes none. The caller
 * uses only the members `stride` and `row`. */
static struct loop_step sum_step(const struct operation *o, const struct steps *s)
{
	struct loop_step sum = constant_step(0);

	if (o->sum.to < 0 || !regset_has(&o->writes, o->sum.to))
		return no_step;
	for (int i = 0; i < 2; i++)
		if (o->sum.from[i] >= 0)
			sum = add_steps(sum, multiply_step(s->at[o->sum.from[i]], o->sum.times[i]));
	return sum;
}

/* Returns the step of a product of two registers. A product of two values that change does not grow
 * by a constant, and neither does a square. */
static struct loop_step product_step(const struct operation *o, const struct steps *s)
{
	struct loop_step step = { .step = WAIT_SOME_STEP, .stride = { .reg = -1 } };
	int factors = 0, fixed = -1, grows = -1;

	for (int r = 0; r < BODY_REGISTERS; r++) {
		if (!regset_has(&o->reads, r))
			continue;
		factors++;
		if (is_fixed(&s->at[r]))
			fixed = r;
		else
			grows = r;
	}
	if (factors != 2 || fixed < 0)
		return no_step;
	if (grows < 0)
		return constant_step(0);
	if (s->at[grows].step == WAIT_NO_STEP)
		return no_step;
	/* the step is a multiple of `fixed`, whose value is known at the sample if nothing else is
	 * written to it */
	if (s->at[grows].stride.known && s->at[grows].stride.reg < 0 &&
	    s->at[grows].stride.add == (int32_t)s->at[grows].stride.add &&
	    !regset_has(&s->written, fixed))
		step.stride = (struct wait_stride){ .known = true,
						    .reg = (int8_t)fixed,
						    .times = (int32_t)s->at[grows].stride.add };
	return step;
}

/* Returns the step of the value that an instruction computes. *s has the steps of the registers
 * that the instruction reads. */
static struct loop_step result_step(const struct operation *o, const struct steps *s)
{
	struct loop_step sum = constant_step(0), fixed;

	if (o->move.to >= 0)
		return s->at[o->move.from];
	if (o->constant.to >= 0)
		return constant_step(0);
	if (o->growth == GROWTH_PRODUCT)
		return product_step(o, s);
	/* a result that depends on no register, such as that of rdtsc, may be any */
	if (o->growth == GROWTH_UNKNOWN || !regset_any(o->reads))
		return no_step;
	for (int r = 0; r < BODY_REGISTERS; r++)
		if (regset_has(&o->reads, r))
			sum = add_steps(sum, s->at[r]);
	fixed = o->growth == GROWTH_FIXED ? sum_step(o, s) : no_step;
	sum.row = fixed.row;
	if (sum.step == 0 || sum.step == WAIT_NO_STEP || o->growth != GROWTH_FIXED)
		return sum;
	sum.step = WAIT_SOME_STEP;
	sum.stride = fixed.stride;
	return sum;
}

static struct loop_step address_step(const struct insn_mem *m, const struct steps *s)
{
	struct loop_step base = m->base < 0 ? constant_step(0) : s->at[m->base];
	struct loop_step index =
		m->index < 0 ? constant_step(0) : multiply_step(s->at[m->index], m->scale);
	struct loop_step sum = add_steps(base, index);

	if (sum.step != (int32_t)sum.step)
		sum.step = WAIT_SOME_STEP;
	return sum;
}

/* Does the instruction load a pointer from an array that the loop walks through by a constant step?
 * Such an array often has the addresses of the rows of a matrix. */
static bool loads_row(const struct operation *o, const struct steps *s)
{
	int64_t step;

	if (!o->access || !o->is_mov || !o->mem.load)
		return false;
	step = address_step(&o->mem, s).step;
	return step && step != WAIT_NO_STEP && step != WAIT_SOME_STEP;
}

static void pass_insn(const struct operation *o, bool skipped, struct steps *s)
{
	struct loop_step step = result_step(o, s);

	step.row = step.row || loads_row(o, s);
	for (int r = 0; r < BODY_REGISTERS; r++)
		if (regset_has(&o->writes, r) && !changes_itself(o, r))
			s->at[r] = step;
	if (skipped) {
		s->skipped.regs |= o->writes.regs;
		s->skipped.slots |= o->writes.slots;
	}
}

/* Called where several ways lead to the next instruction. A register that is written on only some
 * of these ways gets an unknown step. */
static void join_ways(struct steps *s)
{
	forget_steps(s->skipped, s);
	s->skipped = (struct regset){ 0 };
}

/* Forgets the steps of the registers that are written on a detour that ends at instruction k. */
static void join_detours(struct body *b, const struct loop *l, uint32_t k, struct steps *s)
{
	for (unsigned d = 0; d < l->ndetours; d++)
		if (l->detours[d].back == k)
			forget_steps(detour_writes(b, &l->detours[d]), s);
}

void loop_steps(struct body *b, const struct loop *l, struct loop_step steps[LOOP_LONGEST])
{
	struct steps s = { 0 };

	find_first_steps(b, l, &s);
	/* A register may be written late in the loop and read early in the next iteration. The
	 * first pass comes to such a read before it knows the step of the value; the second pass
	 * knows it. */
	for (int pass = 0; pass < 2; pass++)
		for (uint32_t k = l->first; k <= l->last; k++) {
			const struct operation o = *body_operation(b, k);

			if (loop_bit(l->joins, k - l->first))
				join_ways(&s);
			join_detours(b, l, k, &s);
			steps[k - l->first] = o.access ? address_step(&o.mem, &s) : no_step;
			pass_insn(&o, loop_skips(l, k), &s);
		}
}

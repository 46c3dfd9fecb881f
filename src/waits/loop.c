/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "waits/loop.h"

#include <math.h>

enum {
	TURNS = 16, /* number of simulated iterations; the first half of them only warms up */
	WORDS = 16, /* maximum number of words of memory that are followed through iterations */
};

/* How many cycles operations take, according to the manuals of CPU vendors. */
struct speed {
	double latency[MATH_ROOT + 1]; /* from the operands to the result, for each enum
					* insn_math */
	double busy[MATH_ROOT + 1];    /* from the start until the next operation of this kind
					* can start */
	double load;                   /* latency of a load that hits the first cache level */
	double forward;      /* latency of a load whose value is still in the store buffer */
	double width, loads; /* number of instructions, and of loads, that can start in
			      * one cycle */
};

/* `fastest` has the best values of all current CPUs, `usual` has typical values. */
static const struct speed fastest = {
	.latency = { 1, 2, 3, 4, 10, 12 },
	.busy = { 0, 0.5, 0.5, 0.5, 4, 4 },
	.load = 4,
	.forward = 0,
	.width = 6,
	.loads = 3,
};
static const struct speed usual = {
	.latency = { 1, 3.5, 4, 4, 14, 18 },
	.busy = { 0, 0.5, 0.5, 0.5, 5, 6 },
	.load = 5,
	.forward = 5,
	.width = 4,
	.loads = 2,
};

static bool has_bit(const uint64_t *bits, uint32_t i)
{
	return bits[i / 64] >> i % 64 & 1;
}

static void set_bit(uint64_t *bits, uint32_t i)
{
	bits[i / 64] |= UINT64_C(1) << i % 64;
}

static bool is_skipped(const struct loop *l, uint32_t k)
{
	return has_bit(l->skipped, k - l->first);
}

/* Sets l->skipped, l->joins and l->branches. Returns false if the loop contains another loop, a
 * call or an indirect jump. */
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
			set_bit(l->skipped, s - l->first);
		set_bit(l->joins, (uint32_t)i->target - l->first);
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

/* A word of memory that the loop stores to, at the same address in each iteration. */
struct word {
	struct insn_mem mem;
	/* displacement of `mem`; relative to the start of the function if mem.ip_relative */
	int64_t disp;
	double ready; /* as in struct run */
};

/* A simulated run of a loop. */
struct run {
	/* indexed by register: the cycle in which the register gets its value */
	double ready[BODY_REGISTERS];
	struct regset written; /* registers that the loop changes */
	struct word words[WORDS];
	unsigned n;
};

/* Returns the word that the instruction accesses. The first simulated store to a word adds it;
 * before that, the result of a load from it is NULL. NULL, too, if the address changes from
 * iteration to iteration or is relative to the thread pointer, or if there are WORDS other words.
 * `start` is the offset of the instruction from the start of the function. */
static struct word *word_of(struct run *r, const struct operation *o, uint32_t start)
{
	const struct insn_mem *m = &o->mem;
	const int64_t disp = m->disp + (m->ip_relative ? start : 0);

	if (!o->access || m->thread_relative ||
	    (m->base >= 0 && regset_has(&r->written, m->base)) ||
	    (m->index >= 0 && regset_has(&r->written, m->index)))
		return NULL;
	for (unsigned i = 0; i < r->n; i++) {
		const struct insn_mem *x = &r->words[i].mem;

		if (x->base == m->base && x->index == m->index && x->scale == m->scale &&
		    x->ip_relative == m->ip_relative && r->words[i].disp == disp)
			return &r->words[i];
	}
	if (!m->store || r->n == WORDS)
		return NULL;
	r->words[r->n] = (struct word){ .mem = *m, .disp = disp };
	return &r->words[r->n++];
}

/* Simulates the instruction at offset `start`, which starts as soon as its operands are ready. */
static void run_insn(const struct operation *o, uint32_t start, const struct speed *s,
		     struct run *r)
{
	bool loads = o->access && o->mem.load, copies = o->move.to >= 0 && !o->move.add;
	double at = 0, math = s->latency[o->math], *ready = r->ready;
	struct word *word = word_of(r, o, start);

	if (o->math == MATH_SIMPLE && ((loads && !o->mem.store) || copies))
		math = 0;
	if (word && loads && word->ready > 0)
		at = word->ready + s->forward;
	for (int k = 0; k < BODY_REGISTERS; k++)
		if (regset_has(&o->reads, k)) {
			bool address = loads && (k == o->mem.base || k == o->mem.index);

			at = fmax(at, ready[k] + (address ? s->load : 0));
		}
	for (int k = 0; k < BODY_REGISTERS; k++)
		if (regset_has(&o->writes, k))
			ready[k] = at + math;
	if (word && o->mem.store)
		word->ready = at + (loads ? math : 0);
}

static double latest(const struct run *r)
{
	double last = 0;

	for (int k = 0; k < BODY_REGISTERS; k++)
		last = fmax(last, r->ready[k]);
	for (unsigned i = 0; i < r->n; i++)
		last = fmax(last, r->words[i].ready);
	return last;
}

/* Returns the number of cycles by which one iteration of the loop lengthens the longest chain of
 * dependent instructions. */
static double chain_of(struct body *b, const struct loop *l, const struct speed *s)
{
	struct run run = { .n = 0 };
	double warm = 0;

	for (uint32_t k = l->first; k <= l->last; k++) {
		const struct regset *w = &body_operation(b, k)->writes;

		run.written.regs |= w->regs;
		run.written.slots |= w->slots;
	}
	for (int turn = 0; turn < TURNS; turn++) {
		if (turn == TURNS / 2)
			warm = latest(&run);
		for (uint32_t k = l->first; k <= l->last; k++)
			if (!is_skipped(l, k))
				run_insn(body_operation(b, k), b->insns.at[k].at, s, &run);
	}
	return (latest(&run) - warm) / (TURNS - TURNS / 2);
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

/* Does a backward jump form another loop that is partly inside *l and partly outside? */
static bool has_overlap(const struct body *b, const struct loop *l)
{
	for (uint32_t i = 0; i < b->jumps.n && b->jumps.at[i].to <= l->last; i++) {
		const struct body_jump *j = &b->jumps.at[i];
		const bool starts = j->to >= l->first, ends = j->from <= l->last;

		if (j->from >= l->first && j->to < j->from && starts != ends && j->to != l->first &&
		    j->from != l->last)
			return true;
	}
	return false;
}

struct wait_loop loop_describe(struct body *b, const struct loop *l)
{
	struct wait_loop out = { .n = (uint16_t)(l->last - l->first + 1),
				 .branches = l->branches,
				 .overlaps = has_overlap(b, l),
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

/* How much one iteration of the loop changes each register. */
struct steps {
	struct loop_step at[BODY_REGISTERS];
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

/* Returns a + b; the result is not known if it depends on two registers, or overflows. */
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

/* Returns the step of `times` times a value with step a. `row` stays set only if `times` is 1: a
 * number that the program multiplies is an index, not the address of a row. */
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

/* Finds the steps of registers (struct steps) at the start of an iteration. They are known for two
 * kinds of registers: those that the loop does not write, and those to which the loop only adds the
 * same value in each iteration. */
static void find_first_steps(struct body *b, const struct loop *l, struct steps *s)
{
	const struct regset written = written_in(b, l);

	for (int r = 0; r < BODY_REGISTERS; r++)
		s->at[r] = constant_step(0);
	for (uint32_t k = l->first; k <= l->last; k++) {
		const struct operation *o = body_operation(b, k);

		for (int r = 0; r < BODY_REGISTERS; r++) {
			struct loop_step step = no_step;

			if (!regset_has(&o->writes, r))
				continue;
			if (changes_itself(o, r) && !is_skipped(l, k))
				step = constant_step(o->move.add);
			else if (adds_unchanged(o, r, &written) && !is_skipped(l, k))
				step = unchanged_step(o, r);
			s->at[r] = add_steps(s->at[r], step);
		}
	}
}

/* Returns the stride, and `row`, of the sum that an instruction computes. */
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

/* Returns the step (struct steps) of the value that an instruction computes from registers with the
 * steps *s. */
static struct loop_step result_step(const struct operation *o, const struct steps *s)
{
	struct loop_step sum = constant_step(0), fixed;

	if (o->move.to >= 0)
		return s->at[o->move.from];
	/* a result that depends on no register, as after mov $0,%eax, does not continue the value
	 * of the previous iteration */
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

/* Several ways lead to the next instruction. The steps of the registers that one of these ways does
 * not write become unknown. */
static void join_ways(struct steps *s)
{
	for (int r = 0; r < BODY_REGISTERS; r++)
		if (regset_has(&s->skipped, r))
			s->at[r] = no_step;
	s->skipped = (struct regset){ 0 };
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

			if (has_bit(l->joins, k - l->first))
				join_ways(&s);
			steps[k - l->first] = o.access ? address_step(&o.mem, &s) : no_step;
			pass_insn(&o, is_skipped(l, k), &s);
		}
}

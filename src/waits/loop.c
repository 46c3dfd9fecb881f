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

/* Nobody knows how often a loop inside *l runs in an iteration of *l: once it has ended, the
 * registers that it changes have unknown steps. */
static void skip_range(struct loop *l, uint32_t first, uint32_t last)
{
	for (uint32_t k = first; k <= last; k++)
		loop_set_bit(l->skipped, k - l->first);
	if (last < l->last)
		loop_set_bit(l->joins, last + 1 - l->first);
}

static void skip_inner(struct loop *l, const struct loop *inner)
{
	skip_range(l, inner->first, inner->last);
	for (uint32_t k = inner->first; k <= inner->last; k++)
		if (loop_bit(inner->joins, k - inner->first))
			loop_set_bit(l->joins, k - l->first);
}

/* Adds the loop from instruction `first` to `last` to the loops inside *l. Returns false if it is
 * not completely outside of *inner and of the others, or if there are too many. */
static bool add_sibling(struct loop *l, const struct loop *inner, uint32_t first, uint32_t last)
{
	if (l->nsiblings == LOOP_SIBLINGS || (first <= inner->last && last >= inner->first))
		return false;
	for (unsigned i = 0; i < l->nsiblings; i++)
		if (first <= l->siblings[i].last && last >= l->siblings[i].first)
			return false;
	l->siblings[l->nsiblings++] = (struct loop_range){ first, last };
	skip_range(l, first, last);
	return true;
}

/* Does the jump of instruction k lead from *inner to *inner? look_inside() has examined it before.
 * `inner` may be NULL. */
static bool is_within(const struct loop *inner, uint32_t k, int64_t target)
{
	return inner && (loop_has(inner, k) || loop_detours(inner, k)) && loop_has(inner, target);
}

/* Sets what the loop contains. Returns false if it contains an indirect jump, or, if inner is NULL,
 * another loop, or otherwise loops besides *inner that are no siblings (loop_around()). */
static bool look_inside(const struct body *b, struct loop *l, const struct loop *inner)
{
	for (uint32_t k = l->first; k <= l->last; k++) {
		const struct body_insn *i = &b->insns.at[k];
		const bool inside = loop_has(l, i->target);

		if (i->flow == FLOW_INDIRECT)
			return false;
		if (i->flow == FLOW_CALL)
			l->branches = l->calls = true;
		else
			loop_add_detour(b, l, k);
		if (!inside || i->target == (int64_t)l->first || is_within(inner, k, i->target))
			continue;
		if (i->target <= (int64_t)k) {
			if (!inner || !add_sibling(l, inner, (uint32_t)i->target, k))
				return false;
			continue;
		}
		l->branches = true;
		for (uint32_t s = k + 1; s < (uint32_t)i->target; s++)
			loop_set_bit(l->skipped, s - l->first);
		loop_set_bit(l->joins, (uint32_t)i->target - l->first);
	}
	if (inner)
		skip_inner(l, inner);
	return true;
}

/* Does `first` lead to `last` through instructions between the two? If not, the jump from `last` to
 * `first` closes no loop. Compilers put code that runs seldom at the end of the function, and jump
 * back from there. */
static bool leads_down(const struct body *b, uint32_t first, uint32_t last)
{
	uint64_t reached[(LOOP_LONGEST + 63) / 64] = { 1 };

	for (uint32_t k = first; k < last; k++) {
		const struct body_insn *i = &b->insns.at[k];

		if (!loop_bit(reached, k - first))
			continue;
		if (body_falls_through(i))
			loop_set_bit(reached, k + 1 - first);
		if (i->target > (int64_t)k && i->target <= (int64_t)last)
			loop_set_bit(reached, (uint32_t)i->target - first);
	}
	return loop_bit(reached, last - first);
}

bool loop_smallest(const struct body *b, uint32_t first, uint32_t last, uint32_t more,
		   struct loop *out)
{
	const uint32_t lowest = last > LOOP_LONGEST ? last - LOOP_LONGEST : 0;
	uint32_t least = LOOP_LONGEST;

	*out = (struct loop){ .first = 1 };
	for (uint32_t i = b->insns.at[lowest].jumps; i < b->jumps.n && b->jumps.at[i].to <= first;
	     i++) {
		const struct body_jump *j = &b->jumps.at[i];

		if (j->from < last || j->from - j->to >= least ||
		    j->from - j->to < last - first + more || !leads_down(b, j->to, j->from))
			continue;
		least = j->from - j->to;
		out->first = j->to;
		out->last = j->from;
	}
	return least < LOOP_LONGEST;
}

bool loop_find(struct body *b, uint32_t k, struct loop *out)
{
	if (loop_smallest(b, k, k, 0, out) && look_inside(b, out, NULL))
		return true;
	*out = (struct loop){ .first = 1 };
	return false;
}

bool loop_around(struct body *b, const struct loop *inner, struct loop *out)
{
	if (loop_smallest(b, inner->first, inner->last, 1, out) && look_inside(b, out, inner))
		return true;
	*out = (struct loop){ .first = 1 };
	return false;
}

/* Finds the smallest loop inside *l that does not begin with its first instruction: jumps to that
 * one begin the next iteration of *l. */
static bool smallest_inside(const struct body *b, const struct loop *l, struct loop *out)
{
	uint32_t least = l->last - l->first;

	*out = (struct loop){ .first = 1 };
	for (uint32_t i = b->insns.at[l->first].jumps;
	     i < b->jumps.n && b->jumps.at[i].to <= l->last; i++) {
		const struct body_jump *j = &b->jumps.at[i];

		if (j->to <= l->first || j->from > l->last || j->from < j->to ||
		    j->from - j->to >= least || !leads_down(b, j->to, j->from))
			continue;
		least = j->from - j->to;
		out->first = j->to;
		out->last = j->from;
	}
	return out->last > 0;
}

/* Finds the innermost loop in the smallest loop around instruction k, *around, if k is in no loop
 * inside it. Returns false as loop_inside() does. */
static bool find_inside(struct body *b, uint32_t k, struct loop *out, struct loop *around)
{
	struct loop smallest, next;

	if (!loop_smallest(b, k, k, 0, &smallest) || !smallest_inside(b, &smallest, out) ||
	    !look_inside(b, out, NULL))
		return false;
	for (*around = *out; !loop_has(around, k); *around = next)
		if (!loop_around(b, around, &next))
			return false;
	return around->first == smallest.first && around->last == smallest.last;
}

bool loop_inside(struct body *b, uint32_t k, struct loop *out)
{
	struct loop around;
	uint32_t end = k;

	if (find_inside(b, k, out, &around))
		return true;
	while (end < b->insns.n && end - k < LOOP_DETOUR_LONGEST &&
	       b->insns.at[end].flow != FLOW_JUMP)
		end++;
	if (end == b->insns.n || b->insns.at[end].target < 0)
		return false;
	end = (uint32_t)b->insns.at[end].target;
	if (loop_find(b, end, out))
		return loop_detours(out, k);
	return find_inside(b, end, out, &around) && loop_detours(&around, k);
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

/* Returns the word that the instruction accesses. The first simulated store to a word adds the
 * word. Returns NULL for a load before that store. Also returns NULL if the address changes from
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
	for (struct regset left = o->reads; regset_any(left);) {
		const int k = regset_take(&left);
		const bool address = loads && (k == o->mem.base || k == o->mem.index);

		at = fmax(at, ready[k] + (address ? s->load : 0));
	}
	for (struct regset left = o->writes; regset_any(left);)
		ready[regset_take(&left)] = at + math;
	if (word && o->mem.store)
		word->ready = at + (loads ? math : 0);
}

static double last_ready(const struct run *r)
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
	struct run run = { .written = loop_writes(b, l) };
	double warm = 0;

	for (int turn = 0; turn < TURNS; turn++) {
		if (turn == TURNS / 2)
			warm = last_ready(&run);
		for (uint32_t k = l->first; k <= l->last; k++)
			if (!loop_skips(l, k))
				run_insn(body_operation(b, k), b->insns.at[k].at, s, &run);
	}
	return (last_ready(&run) - warm) / (TURNS - TURNS / 2);
}

/* Returns the number of cycles for which one iteration of the loop keeps the CPU's execution units
 * busy. */
static double occupation_of(struct body *b, const struct loop *l, const struct speed *s)
{
	double busy = 0, insns = 0, loads = 0;

	for (uint32_t k = l->first; k <= l->last; k++) {
		const struct operation *o = body_operation(b, k);

		if (loop_skips(l, k))
			continue;
		busy += s->busy[o->math];
		loads += o->access && o->mem.load ? insn_addresses(&o->mem) : 0;
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

/* Does the instruction load from an address that changes from iteration to iteration? */
static bool loads_data(const struct operation *o, const struct regset *written)
{
	return o->access && o->mem.load &&
	       ((o->mem.base >= 0 && regset_has(written, o->mem.base)) ||
		(o->mem.index >= 0 && regset_has(written, o->mem.index)));
}

/* Adds what the instruction writes to *data, the registers whose values depend on loaded data, or
 * removes it. */
static void follow_data(const struct operation *o, const struct regset *written,
			struct regset *data)
{
	if (loads_data(o, written) || regset_any(regset_and(o->reads, *data))) {
		data->regs |= o->writes.regs;
		data->slots |= o->writes.slots;
	} else {
		data->regs &= ~o->writes.regs;
		data->slots &= ~o->writes.slots;
	}
}

/* Does a jump from instruction k to `target` decide whether a part of the loop runs? */
static bool skips_part(const struct loop *l, uint32_t k, int64_t target)
{
	return (target > (int64_t)k + 1 && loop_has(l, target)) ||
	       (target >= 0 && loop_detours(l, (uint32_t)target));
}

/* The CPU starts again after the jump at instruction `jump`, in cycle 0. Returns in which cycle it
 * knows the condition of the same jump one iteration later. */
static double known_at(struct body *b, const struct loop *l, uint32_t jump)
{
	struct run run = { .written = loop_writes(b, l) };
	double last = 0;
	uint32_t k = jump;

	while ((k = k < l->last ? k + 1 : l->first) != jump)
		if (!loop_skips(l, k))
			run_insn(body_operation(b, k), b->insns.at[k].at, &fastest, &run);
	for (struct regset left = body_operation(b, jump)->reads; regset_any(left);)
		last = fmax(last, run.ready[regset_take(&left)]);
	return last;
}

/* Counts in out->jumps the conditional jumps inside the loop that skip a part of it, depending on
 * data that the loop loads. Sets out->resolve for the first two of them. */
static void find_data_jumps(struct body *b, const struct loop *l, struct wait_loop *out)
{
	const struct regset written = loop_writes(b, l);
	struct regset data = { 0 };

	for (int turn = 0; turn < 2; turn++) {
		out->jumps = 0;
		out->resolve = 0;
		for (uint32_t k = l->first; k <= l->last; k++) {
			const struct body_insn *i = &b->insns.at[k];
			const struct operation *o = body_operation(b, k);

			if (i->flow == FLOW_BRANCH && skips_part(l, k, i->target) &&
			    regset_any(regset_and(o->reads, data)) && out->jumps < UINT8_MAX)
				out->resolve +=
					out->jumps++ < 2 && turn ? (float)known_at(b, l, k) : 0;
			follow_data(o, &written, &data);
		}
	}
}

/* Adds to out->accesses, and sets out->calls, for these instructions. Returns false if one of them
 * is an x87 instruction. */
static bool count_accesses(struct body *b, uint32_t first, uint32_t last, struct wait_loop *out)
{
	for (uint32_t k = first; k <= last; k++) {
		const struct operation *o = body_operation(b, k);

		if (o->x87)
			return false;
		out->accesses += o->mem.load || o->mem.store ? o->access : 0;
		out->calls |= b->insns.at[k].flow == FLOW_CALL;
	}
	return true;
}

struct wait_loop loop_describe(struct body *b, const struct loop *l)
{
	struct wait_loop out = { .n = (uint16_t)(l->last - l->first + 1),
				 .calls = l->calls,
				 .branches = l->branches,
				 .overlaps = has_overlap(b, l),
				 .start = b->insns.at[l->first].at,
				 .end = b->insns.at[l->last].at };

	if (!count_accesses(b, l->first, l->last, &out))
		return (struct wait_loop){ 0 };
	for (unsigned i = 0; i < l->ndetours; i++)
		if (!count_accesses(b, l->detours[i].first, l->detours[i].last, &out))
			return (struct wait_loop){ 0 };
	out.least = (float)fmax(chain_of(b, l, &fastest), occupation_of(b, l, &fastest));
	out.likely = (float)fmax(chain_of(b, l, &usual), occupation_of(b, l, &usual));
	find_data_jumps(b, l, &out);
	return out;
}

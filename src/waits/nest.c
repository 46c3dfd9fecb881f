/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "waits/nest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "waits/loop.h"
#include "waits/reach.h"

/* More iterations than this remain in no loop; the registers contain something else. */
#define MOST_LEFT 1e12

/* A loop of the nest and what is around it. */
struct around {
	struct body *b;
	const struct loop *loop, *inner; /* inner: the next loop inside; NULL if there is none */
	uint32_t from, ip; /* positions of the instruction before ip, and of the one at ip */
};

/* Does none of the instructions from `from` on, before `to`, write the general register r? */
static bool keeps(struct body *b, uint32_t from, uint32_t to, int r)
{
	if (r < 0 || r >= BODY_GENERAL)
		return false;
	for (uint32_t k = from; k < to; k++)
		if (regset_has(&body_operation(b, k)->writes, r))
			return false;
	return true;
}

/* May an iteration of the loop write register r? */
static bool writes(struct body *b, const struct loop *l, int r)
{
	const struct regset all = loop_writes(b, l);

	return regset_has(&all, r);
}

/* Can a register count by this step? Some loops add a large constant in each iteration to get the
 * product of the index and that constant, which wraps around: such registers count nothing. */
static bool is_plain(int64_t step, bool wraps32)
{
	return step && llabs(step) <= (wraps32 ? INT64_C(1) << 16 : INT64_C(1) << 32);
}

/* Returns by how much an iteration of the loop changes register r, if r has the value of the loop's
 * counter in the loop inside, too; 0 if it does not, or if the loop changes it by no constant. */
static int64_t counter_step(const struct around *x, int r)
{
	int64_t step;

	if (r < 0 || r >= BODY_GENERAL || (x->inner && writes(x->b, x->inner, r)))
		return 0;
	step = loop_register_step(x->b, x->loop, r);
	return step == WAIT_NO_STEP || step == WAIT_SOME_STEP ? 0 : step;
}

/* Does register r have at ip the value with which jump k is decided? */
static bool is_limit(const struct around *x, uint32_t k, int r)
{
	if (r >= 0 && r < BODY_GENERAL && !writes(x->b, x->loop, r))
		return true;
	return !x->inner && x->ip >= x->loop->first && x->ip <= k && keeps(x->b, x->ip, k, r);
}

/* Is the conditional jump k, which the comparison c decides, the one that ends the loop after a
 * number of iterations? Then describes the loop's counter in *out. */
static bool counts(const struct around *x, uint32_t k, struct insn_compare c, struct nest_loop *out)
{
	int counter = c.reg, limit = c.with;
	int64_t step = counter_step(x, counter);
	bool moved;

	if (!step && limit >= 0) {
		counter = c.with;
		limit = c.reg;
		step = counter_step(x, counter);
	}
	if (!is_plain(step, c.wraps32) || (limit >= 0 && !is_limit(x, k, limit)) ||
	    c.value != (int32_t)c.value)
		return false;
	/* the counter as it was at the start of the iteration */
	moved = !keeps(x->b, x->loop->first, loop_has(x->loop, x->ip) ? x->ip : x->from + 1,
		       counter);
	out->counter =
		(struct wait_term){ .reg = (int8_t)counter,
				    .wraps32 = c.wraps32,
				    .add = moved && step == (int32_t)step ? -(int32_t)step : 0 };
	out->limit = (struct wait_term){ .reg = (int8_t)limit,
					 .wraps32 = c.wraps32,
					 .add = limit < 0 ? (int32_t)c.value : 0 };
	out->step = step;
	return true;
}

/* Returns the comparison that decides the conditional jump k: by the instruction before it, or
 * before a move there. */
static struct insn_compare compared_before(struct body *b, const struct loop *l, uint32_t k)
{
	const struct operation *o;

	if (k == l->first)
		return (struct insn_compare){ .reg = -1 };
	o = body_operation(b, k - 1);
	if (o->compare.reg < 0 && k - 1 > l->first && (o->is_mov || o->move.to >= 0))
		o = body_operation(b, k - 2);
	return o->compare;
}

/* Can the loop end in other ways than by the conditional jump k? A search often ends long before
 * its counter reaches the limit. */
static bool ends_early(const struct body *b, const struct loop *l, uint32_t k)
{
	for (uint32_t i = l->first; i <= l->last; i++)
		if (i != k && loop_ends_at(b, l, i))
			return true;
	return false;
}

/* Finds the counter of a loop, by a conditional jump that ends it. Sets out->step to 0 if there
 * is none. */
static void find_counter(const struct around *x, struct nest_loop *out)
{
	const struct loop *l = x->loop;

	*out = (struct nest_loop){ .end = x->b->insns.at[l->last].at };
	for (uint32_t k = l->last + 1; k-- > l->first;) {
		struct insn_compare c;

		if (x->b->insns.at[k].flow != FLOW_BRANCH || !loop_ends_at(x->b, l, k) ||
		    loop_skips(l, k))
			continue;
		c = compared_before(x->b, l, k);
		if (c.reg >= 0 && counts(x, k, c, out)) {
			out->early = ends_early(x->b, l, k);
			return;
		}
	}
}

/* Does register r, multiplied by `scale` in an address, have nearly the same value at instruction
 * `to` as at `from`? r may be -1. */
static bool stays_near(struct body *b, uint32_t from, uint32_t to, int r, int64_t scale)
{
	for (uint32_t k = from; k < to && r >= 0; k++) {
		const struct operation *o = body_operation(b, k);

		if (regset_has(&o->writes, r) &&
		    (o->move.to != r || o->move.from != r ||
		     llabs((int64_t)o->move.add) * scale >= CACHE_LINE))
			return false;
	}
	return true;
}

/* Are the accesses of instruction `from` and the later one `to` to the same lines? Their addresses
 * must have the same registers, which no instruction between the two sets anew: compilers load the
 * addresses of several arrays into one register if they have no other. */
static bool same_place(struct body *b, uint32_t from, uint32_t to)
{
	const struct insn_mem x = body_operation(b, from)->mem, y = body_operation(b, to)->mem;
	const uint64_t moved = x.ip_relative ? b->insns.at[to].at - b->insns.at[from].at : 0;
	const uint64_t apart = (uint64_t)y.disp - (uint64_t)x.disp + moved;

	return x.base == y.base && x.index == y.index && x.scale == y.scale &&
	       x.ip_relative == y.ip_relative && x.thread_relative == y.thread_relative &&
	       apart + CACHE_LINE - 1 < 2 * CACHE_LINE - 1 && /* in either direction */
	       stays_near(b, from, to, x.base, 1) && stays_near(b, from, to, x.index, x.scale);
}

/* Is the access at instruction k, in its innermost loop the nest's loop `level`, to the same lines
 * as an earlier access of the nest? */
static bool is_again(struct body *b, const struct nest *n, uint32_t k, unsigned level)
{
	for (unsigned i = 0; i < n->naccesses; i++) {
		const struct nest_access *a = &n->accesses[i];
		const uint32_t from = (uint32_t)body_find(b, a->insn);

		if (a->loop == level && from < k && same_place(b, from, k) &&
		    !memcmp(&a->steps[level], &n->accesses[n->naccesses].steps[level],
			    sizeof(a->steps) - level * sizeof(a->steps[0])))
			return true;
	}
	return false;
}

/* Adds the access of instruction k, which touches `bytes` bytes in an iteration of the loop.
 * Returns false if it is not known, or if there are too many. */
static bool add_access(const struct around *x, uint32_t k, double bytes, struct nest *n)
{
	const struct operation *o = body_operation(x->b, k);

	if (o->obscure || o->x87 || x->b->insns.at[k].flow == FLOW_CALL)
		return false;
	if (!o->access || (!o->mem.load && !o->mem.store))
		return true;
	if (n->naccesses == NEST_ACCESSES || bytes > UINT8_MAX)
		return false;
	n->accesses[n->naccesses++] = (struct nest_access){ .insn = x->b->insns.at[k].at,
							    .loop = n->n,
							    .bytes = (uint8_t)bytes };
	return true;
}

static bool is_in_sibling(const struct loop *l, uint32_t k)
{
	for (unsigned i = 0; i < l->nsiblings; i++)
		if (k >= l->siblings[i].first && k <= l->siblings[i].last)
			return true;
	return false;
}

/* Adds the accesses of these instructions that are not in loops inside the loop. */
static bool add_range(const struct around *x, uint32_t first, uint32_t last, struct nest *n)
{
	for (uint32_t k = first; k <= last; k++) {
		if (x->inner && (loop_has(x->inner, k) || loop_detours(x->inner, k)))
			continue;
		if (!is_in_sibling(x->loop, k) &&
		    !add_access(x, k, body_operation(x->b, k)->mem.bytes, n))
			return false;
	}
	return true;
}

/* Returns how often a loop runs at most if it counts to a constant, and not from below 0 if up, or
 * from above 0 if down; 0 if it does not. */
static double constant_runs(const struct around *x)
{
	struct nest_loop counter;

	find_counter(x, &counter);
	return counter.step && counter.limit.reg < 0
		       ? fmax(0, ceil((double)counter.limit.add / (double)counter.step))
		       : 0;
}

/* Adds the accesses of a loop that is a sibling of the nest's inner one, as if they were in the
 * loop around both. They touch all bytes of its few iterations. */
static bool add_sibling(const struct around *x, const struct loop_range *r,
			struct loop_step *scratch, struct nest *n)
{
	struct loop l;
	double runs;

	if (!loop_find(x->b, r->first, &l) || l.first != r->first || l.last != r->last)
		return false;
	runs = constant_runs(&(struct around){ x->b, &l, NULL, x->from, x->ip });
	if (runs < 1)
		return false;
	loop_steps(x->b, &l, scratch);
	for (uint32_t k = l.first; k <= l.last; k++) {
		const struct operation *o = body_operation(x->b, k);
		const int64_t step = o->access ? scratch[k - l.first].step : 0;

		if (step == WAIT_NO_STEP || step == WAIT_SOME_STEP ||
		    !add_access(x, k, o->mem.bytes + fabs((double)step) * (runs - 1), n))
			return false;
	}
	return true;
}

/* Returns the last instruction of a detour that jumps back to its instruction k; 0 if there is
 * none. */
static uint32_t closes_at(const struct body *b, const struct loop_detour *d, uint32_t k)
{
	for (uint32_t i = d->last; i >= k && i > 0; i--)
		if (b->insns.at[i].target == (int64_t)k)
			return i;
	return 0;
}

/* Adds the accesses of a detour. Loops in it count like siblings. */
static bool add_detour(const struct around *x, const struct loop_detour *d,
		       struct loop_step *scratch, struct nest *n)
{
	for (uint32_t k = d->first; k <= d->last; k++) {
		const struct loop_range r = { k, closes_at(x->b, d, k) };

		if (r.last ? !add_sibling(x, &r, scratch, n) : !add_range(x, k, k, n))
			return false;
		k = r.last ? r.last : k;
	}
	return true;
}

/* Adds to the nest the accesses of the loop that are not in the loop inside it. Returns false if
 * they are too many, or if one of them is not known. */
static bool add_accesses(const struct around *x, struct loop_step *scratch, struct nest *n)
{
	const struct loop *l = x->loop;
	bool ok = add_range(x, l->first, l->last, n);

	for (unsigned i = 0; i < l->ndetours && ok; i++)
		ok = add_detour(x, &l->detours[i], scratch, n);
	for (unsigned i = 0; i < l->nsiblings && ok; i++)
		ok = add_sibling(x, &l->siblings[i], scratch, n);
	return ok;
}

/* Sets the steps in loop `level`, x->loop, of all accesses so far. Where an inner loop does not
 * move an address by a known step, the address depends on data, and is unknown in the outer loops,
 * too. */
static void set_steps(const struct around *x, const struct loop_step *steps, unsigned level,
		      struct nest *n)
{
	const struct loop *l = x->loop;

	for (unsigned i = 0; i < n->naccesses; i++) {
		struct nest_access *a = &n->accesses[i];
		const uint32_t k = (uint32_t)body_find(x->b, a->insn);

		if (k < l->first || k > l->last ||
		    (level > a->loop && a->steps[level - 1] == WAIT_NO_STEP)) {
			a->steps[level] = WAIT_NO_STEP;
			continue;
		}
		a->steps[level] = (int32_t)steps[k - l->first].step;
		a->strides[level] = steps[k - l->first].stride;
		a->strides[level].known &=
			a->steps[level] == WAIT_SOME_STEP && loop_has(l, x->from);
	}
}

/* Adds a loop to the nest. Returns false if not all of its accesses are known; then the nest is as
 * before. */
static bool add_loop(const struct around *x, const struct loop_step *steps,
		     struct loop_step *scratch, struct nest *n)
{
	const uint8_t before = n->naccesses;

	if (!add_accesses(x, scratch, n)) {
		n->naccesses = before;
		return false;
	}
	set_steps(x, steps, n->n, n);
	find_counter(x, &n->loops[n->n]);
	n->loops[n->n].turns = loop_counter(x->b, x->loop, x->inner);
	/* elsewhere, the registers of a sample have other values */
	if (!loop_has(x->loop, x->from))
		n->loops[n->n].step = n->loops[n->n].turns.adds = 0;
	/* the nest of a sample in a sibling may not reach this loop, so turns_part() would miss it
	 */
	if (x->loop->nsiblings)
		n->loops[n->n].turns.adds = 0;
	n->n++;
	return true;
}

static void find_again(struct body *b, struct nest *n)
{
	const uint8_t all = n->naccesses;

	for (n->naccesses = 0; n->naccesses < all; n->naccesses++) {
		struct nest_access *a = &n->accesses[n->naccesses];

		a->again = is_again(b, n, (uint32_t)body_find(b, a->insn), a->loop);
	}
}

static uint64_t term_register(const struct wait_term *t)
{
	return t->reg >= 0 ? UINT64_C(1) << t->reg : 0;
}

static uint64_t find_registers(const struct nest *n)
{
	uint64_t all = 0;

	for (unsigned l = 0; l < n->n; l++)
		if (n->loops[l].step)
			all |= term_register(&n->loops[l].counter) |
			       term_register(&n->loops[l].limit);
	for (unsigned i = 0; i < n->naccesses; i++)
		for (unsigned l = n->accesses[i].loop; l < n->n; l++)
			if (n->accesses[i].strides[l].known && n->accesses[i].strides[l].reg >= 0)
				all |= UINT64_C(1) << n->accesses[i].strides[l].reg;
	return all;
}

bool nest_find(struct body *b, uint32_t from, uint32_t ip, const struct loop *inner,
	       const struct loop_step *steps, struct loop_step *scratch, struct nest *out)
{
	struct loop at[2] = { *inner };

	memset(out, 0, sizeof(*out));
	if (!add_loop(&(struct around){ b, inner, NULL, from, ip }, steps, scratch + LOOP_LONGEST,
		      out))
		return false;
	while (out->n < NEST_LOOPS) {
		const struct loop *last = &at[(out->n - 1) % 2];
		struct loop *next = &at[out->n % 2];

		if (!loop_around(b, last, next))
			break;
		loop_steps(b, next, scratch);
		if (!add_loop(&(struct around){ b, next, last, from, ip }, scratch,
			      scratch + LOOP_LONGEST, out))
			break;
	}
	find_again(b, out);
	out->registers = find_registers(out);
	return out->n > 1;
}

static void learn_step(struct nest_access *a, unsigned l, const uint64_t regs[64])
{
	const int64_t step = wait_stride_bytes(&a->strides[l], regs);
	const bool is_new = a->steps[l] == WAIT_SOME_STEP;

	if (step == a->steps[l])
		return;
	a->steps[l] = is_new && step > WAIT_NO_STEP && step < WAIT_SOME_STEP ? (int32_t)step
									     : WAIT_SOME_STEP;
	a->strides[l].known = a->steps[l] != WAIT_SOME_STEP;
}

void nest_learn(struct nest *n, const uint64_t regs[64])
{
	for (unsigned i = 0; i < n->naccesses; i++)
		for (unsigned l = n->accesses[i].loop; l < n->n; l++)
			if (n->accesses[i].strides[l].known)
				learn_step(&n->accesses[i], l, regs);
}

bool nest_left(const struct nest *n, unsigned l, const uint64_t regs[64], double *left)
{
	const struct nest_loop *x = &n->loops[l];
	uint64_t distance;

	if (!x->step)
		return false;
	distance = wait_term_value(&x->limit, regs) - wait_term_value(&x->counter, regs);
	*left = (x->counter.wraps32 ? (double)(int32_t)distance : (double)(int64_t)distance) /
		(double)x->step;
	return *left > 0 && *left < MOST_LEFT;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "waits/account.h"

#include "waits/estimate.h"
#include "waits/moves.h"
#include "waits/pace.h"

#include <math.h>

/* Cycles that an atomic operation takes even if its cache line is in the first-level cache. During
 * these cycles the operation waits neither for memory nor for other threads. */
#define ATOMIC_CYCLES 20.0

/* Which part of the samples that may be a wait or arithmetic are a cost: with half of them, the
 * cost is never wrong by more than half of this time. */
#define UNCLEAR_COSTS 0.5

#define GOLDEN_RATIO 0.6180339887498949

int account_open(const struct wait_caches *c, struct account **out, struct md_err *err)
{
	*out = calloc(1, sizeof(**out));
	if (!*out)
		return md_nomem(err);
	(*out)->caches = *c;
	return 0;
}

void account_close(struct account *a)
{
	if (!a)
		return;
	for (uint32_t i = 0; i < a->operands.n; i++)
		operand_release(&a->operands.at[i]);
	free(a->places.at);
	free(a->operands.at);
	free(a->waits.at);
	index_release(&a->operand_index);
	index_release(&a->wait_index);
	turns_release(&a->turns);
	arena_release(&a->arena);
	free(a);
}

bool account_nomem(const struct account *a)
{
	return a->nomem;
}

static uint32_t find_operand(struct account *a, uint32_t dso, uint64_t offset)
{
	uint32_t hash = index_hash(offset, dso), place = hash, id;

	while ((id = index_next(&a->operand_index, hash, &place))) {
		const struct operand *o = &AT_ID(a->operands, id);

		if (o->dso == dso && o->offset == offset)
			return id;
	}
	if (a->operands.n == ACCOUNT_OPERANDS)
		return 0;
	if (!VEC_ROOM(&a->operands) || !index_add(&a->operand_index, hash, a->operands.n + 1)) {
		a->nomem = true;
		return 0;
	}
	a->operands.at[a->operands.n++] =
		(struct operand){ .dso = dso, .offset = offset, .step = WAIT_NO_STEP };
	return a->operands.n;
}

/* Returns the id of the operand of instruction x->insn of the plan's function, which begins at
 * `start` in the file. 0 means that it is not tracked, because ACCOUNT_OPERANDS others are tracked,
 * or because memory ran out. Of *x, only insn, bytes, elements and step are used. */
static uint32_t operand_id(struct account *a, const struct wait_plan *plan, uint32_t dso,
			   uint64_t start, const struct wait_access *x)
{
	uint32_t id = find_operand(a, dso, start + x->insn);
	struct operand *o = id ? &AT_ID(a->operands, id) : NULL;

	if (!o)
		return 0;
	o->bytes = x->bytes;
	o->elements = x->elements;
	if (o->step == WAIT_NO_STEP || (x->step != WAIT_NO_STEP && x->step != WAIT_SOME_STEP))
		o->step = x->step;
	if (wait_loop_has(&plan->loop, x->insn))
		o->fastest = fmax(o->fastest, pace_fastest(&plan->loop, x->step));
	return id;
}

/* Prepares what is known about the plan's loops. Returns false when out of memory. */
static bool add_loops(struct account *a, const struct wait_plan *plan, uint32_t dso, uint64_t start,
		      struct spot *p)
{
	if (!plan->nest) {
		p->nloops = plan->loop.counter.adds != 0;
		if (!p->nloops)
			return true;
		p->loops[0] = turns_loop(&a->turns, dso, start + plan->loop.end);
		return p->loops[0];
	}
	p->nloops = plan->nest->n;
	p->reuse = arena_alloc(&a->arena, sizeof(*p->reuse));
	p->nest = arena_alloc(&a->arena, nest_bytes(plan->nest));
	if (!p->reuse || !p->nest)
		return false;
	p->reuse->known = false;
	memcpy(p->nest, plan->nest, nest_bytes(plan->nest));
	for (unsigned l = 0; l < plan->nest->n; l++) {
		p->loops[l] = turns_loop(&a->turns, dso, start + plan->nest->loops[l].end);
		if (!p->loops[l])
			return false;
	}
	return true;
}

uint32_t account_place(struct account *a, const struct wait_plan *plan, uint32_t dso,
		       uint64_t start)
{
	struct wait_choice c[ACCOUNT_MOST];
	struct spot p = { .plan = plan };
	unsigned n = plan->n + plan->ahead;

	p.operands = arena_alloc(&a->arena, (n + 1) * sizeof(*p.operands));
	p.possible = arena_alloc(&a->arena, (n + 1) * sizeof(*p.possible));
	if (!p.operands || !p.possible || !add_loops(a, plan, dso, start, &p) ||
	    !VEC_ROOM(&a->places)) {
		a->nomem = true;
		return 0;
	}
	for (unsigned i = 0; i < plan->n; i++)
		p.operands[i] = operand_id(a, plan, dso, start,
					   &(struct wait_access){
						   .insn = plan->candidates[i].insn,
						   .bytes = plan->candidates[i].bytes,
						   .elements = plan->candidates[i].elements,
						   .step = plan->candidates[i].step,
					   });
	for (unsigned i = 0; i < plan->ahead; i++)
		p.operands[plan->n + i] = operand_id(a, plan, dso, start, &plan->accesses[i]);
	/* no address is known yet: each candidate is assumed to access a different object */
	for (unsigned i = 0; i < plan->n; i++) {
		c[i] = estimate_choice(plan, &plan->candidates[i]);
		c[i].object = i + 1;
	}
	wait_share(c, plan->n);
	for (unsigned i = 0; i < plan->n; i++)
		p.possible[i] = c[i].possible;
	a->places.at[a->places.n++] = p;
	return a->places.n;
}

const struct wait_plan *account_plan(const struct account *a, uint32_t place)
{
	return AT_ID(a->places, place).plan;
}

static bool is_lost(const struct wait_plan *plan, unsigned which)
{
	return which < plan->n && (plan->candidates[which].by == WAIT_BY_NOTHING ||
				   plan->candidates[which].by == WAIT_BY_BASE);
}

unsigned account_wishes(struct account *a, uint32_t place, unsigned which)
{
	const struct spot *p = &AT_ID(a->places, place);
	const uint32_t id = p->operands[which];
	unsigned wishes = which < p->plan->n && p->possible[which] ? WISH_OBJECT : 0;
	struct operand *o = id ? &AT_ID(a->operands, id) : NULL;

	return o && operand_is_asked(o, is_lost(p->plan, which)) ? wishes | WISH_SERIES : wishes;
}

void account_saw(struct account *a, uint32_t place, unsigned which, const struct account_sample *s,
		 uint64_t address, uint32_t object)
{
	uint32_t id = AT_ID(a->places, place).operands[which];
	struct operand *o = id ? &AT_ID(a->operands, id) : NULL;

	if (!o)
		return;
	if (!operand_saw(o, s, address, object))
		a->nomem = true;
	if (!s->pointee && a->now.n < ACCOUNT_MOST)
		a->now.at[a->now.n++] =
			(struct near_address){ id, object & ~ACCOUNT_MOVED, address, NULL };
}

static bool is_in_order(const void *arg, uint32_t id)
{
	const struct account *a = arg;
	const struct operand *o = &AT_ID(a->operands, id);

	return o->known && o->access.in_order;
}

/* Compares the addresses that the current sample has shown. */
static void compare_addresses(struct account *a)
{
	for (unsigned i = 0; i < a->now.n; i++)
		a->now.at[i].near = &AT_ID(a->operands, a->now.at[i].id).near;
	near_add(a->now.at, a->now.n, is_in_order, a);
	a->now.n = 0;
}

uint32_t account_object(const struct account *a, uint32_t place, unsigned which)
{
	uint32_t id = AT_ID(a->places, place).operands[which];

	return id ? operand_object(&AT_ID(a->operands, id)) : 0;
}

bool account_may_learn(const struct account *a, uint32_t place, unsigned which)
{
	uint32_t id = AT_ID(a->places, place).operands[which];

	return id && operand_may_learn(&AT_ID(a->operands, id));
}

void account_learns_no_more(struct account *a, uint32_t place, unsigned which)
{
	uint32_t id = AT_ID(a->places, place).operands[which];

	if (id)
		AT_ID(a->operands, id).settled = true;
}

void account_within(struct account *a, uint32_t place, unsigned which, uint64_t base,
		    uint64_t bytes)
{
	const struct spot *p = &AT_ID(a->places, place);
	uint32_t id = p->operands[which];

	if (id)
		operand_within(&AT_ID(a->operands, id), base, p->plan->candidates[which].span,
			       bytes);
}

void account_steps(struct account *a, uint32_t place, unsigned which, int64_t step)
{
	uint32_t id = AT_ID(a->places, place).operands[which];

	if (id)
		operand_steps(&AT_ID(a->operands, id), step);
}

/* Reports the counter of the place's loop `l` of its p->nloops, and a number for the registers that
 * the loop does not change. `has` is a mask of the registers that are known. */
static void count_turns(struct account *a, const struct spot *p, unsigned l,
			const struct account_sample *s, const uint64_t regs[64], uint64_t has)
{
	const struct wait_counter *c = spot_counter(p, l);
	uint64_t run = 0;

	if (!c->adds || wait_counter_registers(c) & ~has)
		return;
	for (uint64_t left = c->fixed; left; left &= left - 1)
		run = run * UINT64_C(0x9e3779b97f4a7c15) + regs[__builtin_ctzll(left)];
	turns_counted(&a->turns, p->loops[l],
		      &(struct turns_count){ .thread = s->thread,
					     .counter = regs[c->reg],
					     .run = run,
					     .adds = c->adds,
					     .time = s->time,
					     .period = s->period });
}

void account_loops(struct account *a, uint32_t place, const struct account_sample *s,
		   const uint64_t regs[64], uint64_t has)
{
	const struct spot *p = &AT_ID(a->places, place);
	double left;

	for (unsigned l = 0; l < p->nloops; l++)
		count_turns(a, p, l, s, regs, has);
	if (!p->nest || p->nest->registers & ~has)
		return;
	nest_learn(p->nest, regs);
	for (unsigned l = 0; l < p->nest->n; l++)
		if (nest_left(p->nest, l, regs, &left))
			turns_saw(&a->turns, p->loops[l], left);
}

static bool same_wait(const struct wait *w, const struct wait *x, unsigned n)
{
	return w->place == x->place && w->ways == x->ways &&
	       !memcmp(w->objects, x->objects, n * sizeof(*x->objects));
}

/* Sets the counters of a new wait with n candidates (struct wait): multiples of the golden ratio
 * are spread evenly, however many there are. */
static void spread_costless(struct wait *w, uint32_t id, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		w->costless[i] = fmod((id + i) * GOLDEN_RATIO, 1);
}

uint32_t account_wait(struct account *a, uint32_t place, unsigned ways, const uint32_t *objects)
{
	const struct spot *p = &AT_ID(a->places, place);
	uint32_t matter[ACCOUNT_MOST + 1], hash, at, id;
	struct wait w = { .place = place, .ways = ways, .objects = matter };
	size_t bytes = p->plan->n * sizeof(*objects);

	compare_addresses(a);
	for (unsigned i = 0; i < p->plan->n; i++)
		matter[i] =
			p->possible[i] && ways >> p->plan->candidates[i].way & 1 ? objects[i] : 0;
	hash = index_hash_bytes(matter, bytes, (uint64_t)place << 8 | ways);
	at = hash;
	while ((id = index_next(&a->wait_index, hash, &at)))
		if (same_wait(&AT_ID(a->waits, id), &w, p->plan->n))
			return id;
	if (a->waits.n == ACCOUNT_WAITS)
		return 0;
	w.objects = arena_alloc(&a->arena, bytes + 1);
	w.given = arena_alloc(&a->arena, (p->plan->n + 1) * sizeof(*w.given));
	w.share = arena_alloc(&a->arena, (p->plan->n + 1) * sizeof(*w.share));
	w.costless = arena_alloc(&a->arena, (p->plan->n + 1) * sizeof(*w.costless));
	if (!w.objects || !w.given || !w.share || !w.costless || !VEC_ROOM(&a->waits) ||
	    !index_add(&a->wait_index, hash, a->waits.n + 1)) {
		a->nomem = true;
		return 0;
	}
	memcpy(w.objects, matter, bytes);
	spread_costless(&w, a->waits.n, p->plan->n + 1);
	a->waits.at[a->waits.n++] = w;
	return a->waits.n;
}

/* Returns the candidate that is the atomic operation just before ip, if it is on the same way
 * (sequence of instructions) as candidate `best`; otherwise -1. If `best` is plan->n (no
 * candidate), the operation must be on the only way to ip. */
static int atomic_before(const struct wait_plan *plan, unsigned best)
{
	unsigned way = best < plan->n ? plan->candidates[best].way : 0;

	if (best == plan->n && plan->ways != 1)
		return -1;
	for (unsigned i = 0; i < plan->n; i++)
		if (plan->candidates[i].way == way && plan->candidates[i].how == WAIT_OWN &&
		    plan->candidates[i].lock)
			return (int)i;
	return -1;
}

/* Returns the expected wait in cycles of an atomic operation because of candidate `best`: for a
 * line that another thread uses, or for an access at random addresses that misses the caches. */
static double atomic_wait(struct account *a, const struct wait *w, unsigned best)
{
	const struct spot *p = &AT_ID(a->places, w->place);
	const struct operand *o;

	if (best == p->plan->n || w->objects[best] == ACCOUNT_SKIPPED || w->level != WAIT_MISSES)
		return 0;
	if (w->objects[best] & ACCOUNT_MOVED)
		return MOVED_CYCLES;
	o = p->operands[best] ? &AT_ID(a->operands, p->operands[best]) : NULL;
	return o && o->known && !reach_is_stream(&o->access, &a->caches)
		       ? reach_wait(&o->access, p->reach, &a->caches)
		       : 0;
}

/* Decides whether this sample is counted, so that in total the fraction `part` of all samples is
 * counted. *due sums up the fractions; when it reaches 1, the sample is counted. */
static bool is_of_part(double part, double *due)
{
	*due += part > 0 ? part : 0; /* 0 / 0 if nothing is left to be a part of */
	if (*due < 1)
		return false;
	*due -= 1;
	return true;
}

/* May the next sample of the wait, which belongs to candidate `which`, be time of a mispredicted
 * jump? */
static bool is_jump(const struct wait_plan *plan, unsigned which, struct wait *w)
{
	return w->jumps >> plan->candidates[which].way & 1 ||
	       is_of_part(w->jumping / (1 - w->computes), &w->jumped);
}

void account_deal(struct account *a, uint32_t wait, uint64_t period, struct account_deal *out)
{
	struct wait *w = &AT_ID(a->waits, wait);
	const struct spot *p = &AT_ID(a->places, w->place);
	unsigned best = p->plan->n;
	double most = -1, cycles;
	int atomic;

	if (w->samples++ >= w->next)
		estimate_wait(a, w);
	w->period += (double)period;
	for (unsigned i = 0; i <= p->plan->n; i++) {
		double due = w->share[i] * w->period - w->given[i];

		if (w->share[i] <= 0 || (most >= 0 && due <= most))
			continue;
		most = due > 0 ? due : 0;
		best = i;
	}
	w->given[best] += (double)period;
	*out = (struct account_deal){ .level = w->level, .streams = w->level == WAIT_STREAMS };
	atomic = atomic_before(p->plan, best);
	out->atomic = atomic >= 0;
	cycles = out->atomic ? atomic_wait(a, w, best) : 0;
	if (out->atomic && is_of_part(ATOMIC_CYCLES / (ATOMIC_CYCLES + cycles), &w->atomic)) {
		best = (unsigned)atomic;
		out->level = WAIT_HITS;
		w->hidden += cycles > 0 ? (double)period : 0;
	} else if (w->level != WAIT_HITS && is_of_part(w->computes, &w->computing)) {
		out->level = WAIT_HITS;
		w->hidden += (double)period;
	} else if (best < p->plan->n && w->objects[best] != ACCOUNT_SKIPPED) {
		out->moved = w->objects[best] & ACCOUNT_MOVED;
		out->jumped = w->level != WAIT_HITS && !out->atomic && is_jump(p->plan, best, w);
	}
	out->unsure = !out->jumped && !out->moved && !out->atomic && out->level > WAIT_UNCLEAR &&
		      is_of_part(w->unclear / (1 - w->computes - w->jumping), &w->unsure);
	if (out->jumped || out->unsure)
		out->level = WAIT_UNCLEAR;
	out->costless = out->level == WAIT_UNCLEAR && !out->jumped && !out->moved && !out->atomic &&
			is_of_part(1 - UNCLEAR_COSTS, &w->costless[best]);
	out->candidate = best < p->plan->n ? (int)best : -1;
}

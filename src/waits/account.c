/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "waits/account.h"

#include "base/arena.h"
#include "waits/around.h"
#include "waits/moves.h"
#include "waits/share.h"

/* Cycles that an atomic operation takes even if its cache line is in the first-level cache. During
 * these cycles the operation waits neither for memory nor for other threads. */
#define ATOMIC_CYCLES 20.0

struct spot {
	const struct wait_plan *plan;
	/* ids of the operands of the plan's candidates, then of plan->accesses; 0 means that the
	 * operand is not tracked */
	uint32_t *operands;
	/* indexed by candidate: whether wait_share(), called before anything was known about the
	 * operands, found that a sample may have waited for the candidate. Only such candidates
	 * have an object in struct wait */
	bool *possible;
	double reach[CACHE_LEVELS];
};

/* A wait (account.h): all samples at one instruction whose candidates access the same objects.
 * Arrays are indexed by candidate; The last element of `given` and `share` is for samples that
 * belong to no candidate. */
struct wait {
	uint32_t place, ways;
	/* object of each candidate; 0 means unknown, or that the candidate cannot get a share;
	 * ACCOUNT_SKIPPED means that the candidate did not run */
	uint32_t *objects;
	/* number of samples so far, and the number at which the shares are estimated again */
	uint64_t samples, next;
	/* period: sum of the periods of all samples; given[]: the part of this sum that each
	 * candidate got */
	double period, *given;
	float *share;
	/* sums of fractions of samples, always below 1 (is_of_part()). When `atomic` reaches 1, a
	 * sample counts as time of the atomic operation itself (ATOMIC_CYCLES). When `computing`
	 * reaches 1, a sample counts as time of the loop's arithmetic */
	double atomic, computing;
	/* share of the loop's time that it would need without cache misses (pace.other) */
	double computes;
	/* sum of the periods of the samples that counted as time of the loop's arithmetic */
	double hidden;
	enum wait_level level;
};

struct account {
	struct wait_caches caches;
	struct arena arena;
	struct {
		struct spot *at;
		uint32_t n, cap;
	} places;
	struct {
		struct operand *at;
		uint32_t n, cap;
	} operands;
	struct {
		struct wait *at;
		uint32_t n, cap;
	} waits;
	struct index operand_index, wait_index;
	bool nomem;
};

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

/* Returns the id of an operand; `step` is as in struct wait_access. */
static uint32_t operand_id(struct account *a, uint32_t dso, uint64_t offset, uint8_t bytes,
			   int32_t step)
{
	uint32_t id = find_operand(a, dso, offset);

	if (!id)
		return 0;
	AT_ID(a->operands, id).bytes = bytes;
	if (AT_ID(a->operands, id).step == WAIT_NO_STEP ||
	    (step != WAIT_NO_STEP && step != WAIT_SOME_STEP))
		AT_ID(a->operands, id).step = step;
	return id;
}

static bool is_inside(const struct wait_plan *plan, const struct wait_candidate *c)
{
	return c->load && wait_loop_has(&plan->loop, c->insn);
}

/* Fills in c[], the input of wait_share() (share.h), while no address of the operands is known:
 * each candidate is assumed to access a different object. */
static void prepare_choices(const struct wait_plan *plan, struct wait_choice *c)
{
	for (unsigned i = 0; i < plan->n; i++)
		c[i] = (struct wait_choice){
			.object = i + 1,
			.how = plan->candidates[i].how,
			.way = plan->candidates[i].way,
			.loop = plan->candidates[i].loop,
			.only_stores = plan->candidates[i].store && !plan->candidates[i].load,
			.loaded = plan->candidates[i].loaded,
			.inside = is_inside(plan, &plan->candidates[i]),
			.beside = wait_is_beside(&plan->loop, &plan->candidates[i]),
			.wait = WAIT_UNSEEN
		};
}

uint32_t account_place(struct account *a, const struct wait_plan *plan, uint32_t dso,
		       uint64_t start)
{
	struct wait_choice c[ACCOUNT_MOST];
	struct spot p = { .plan = plan };
	unsigned n = plan->n + plan->ahead;

	p.operands = arena_alloc(&a->arena, (n + 1) * sizeof(*p.operands));
	p.possible = arena_alloc(&a->arena, (n + 1) * sizeof(*p.possible));
	if (!p.operands || !p.possible || !VEC_ROOM(&a->places)) {
		a->nomem = true;
		return 0;
	}
	for (unsigned i = 0; i < plan->n; i++)
		p.operands[i] = operand_id(a, dso, start + plan->candidates[i].insn,
					   plan->candidates[i].bytes, plan->candidates[i].step);
	for (unsigned i = 0; i < plan->ahead; i++)
		p.operands[plan->n + i] =
			operand_id(a, dso, start + plan->accesses[i].insn, plan->accesses[i].bytes,
				   plan->accesses[i].step);
	prepare_choices(plan, c);
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

unsigned account_wishes(struct account *a, uint32_t place, unsigned which)
{
	const struct spot *p = &AT_ID(a->places, place);
	unsigned wishes = which < p->plan->n && p->possible[which] ? WISH_OBJECT : 0;
	struct operand *o = p->operands[which] ? &a->operands.at[p->operands[which] - 1] : NULL;

	return o && operand_is_asked(o) ? wishes | WISH_SERIES : wishes;
}

void account_saw(struct account *a, uint32_t place, unsigned which, const struct account_sample *s,
		 uint64_t address, uint32_t object)
{
	uint32_t id = AT_ID(a->places, place).operands[which];
	struct operand *o = id ? &AT_ID(a->operands, id) : NULL;

	if (o && !operand_saw(o, s, address, object))
		a->nomem = true;
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

static bool same_wait(const struct wait *w, const struct wait *x, unsigned n)
{
	return w->place == x->place && w->ways == x->ways &&
	       !memcmp(w->objects, x->objects, n * sizeof(*x->objects));
}

uint32_t account_wait(struct account *a, uint32_t place, unsigned ways, const uint32_t *objects)
{
	const struct spot *p = &AT_ID(a->places, place);
	uint32_t matter[ACCOUNT_MOST + 1], hash, at, id;
	struct wait w = { .place = place, .ways = ways, .objects = matter };
	size_t bytes = p->plan->n * sizeof(*objects);

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
	if (!w.objects || !w.given || !w.share || !VEC_ROOM(&a->waits) ||
	    !index_add(&a->wait_index, hash, a->waits.n + 1)) {
		a->nomem = true;
		return 0;
	}
	memcpy(w.objects, matter, bytes);
	a->waits.at[a->waits.n++] = w;
	return a->waits.n;
}

static struct wait_choice choice_of(struct account *a, const struct wait *w, unsigned i)
{
	const struct spot *p = &AT_ID(a->places, w->place);
	const struct operand *o = p->operands[i] ? &AT_ID(a->operands, p->operands[i]) : NULL;
	const struct wait_candidate *x = &p->plan->candidates[i];
	const bool known = o && o->known, moved = w->objects[i] & ACCOUNT_MOVED;

	return (struct wait_choice){
		.object = w->objects[i] ? w->objects[i] & ~ACCOUNT_MOVED
			  : o           ? operand_object(o)
					: 0,
		.insn = x->insn,
		.loop_start = x->loop_start,
		.loop_end = x->loop_end,
		.how = x->how,
		.way = x->way,
		.loop = x->loop,
		.only_stores = x->store && !x->load,
		.loaded = x->loaded,
		.inside = is_inside(p->plan, x),
		.beside = wait_is_beside(&p->plan->loop, x),
		.stream = !moved && known && reach_is_stream(&o->access, &a->caches),
		.wait = moved   ? MOVED_CYCLES
			: known ? reach_wait(&o->access, p->reach, &a->caches)
				: WAIT_UNSEEN,
	};
}

/* Stores in at[] the operands of the sampled instruction p; NULL for an operand that is not
 * tracked. Returns their number. */
static unsigned operands_of(struct account *a, const struct spot *p,
			    struct operand *at[AROUND_MOST])
{
	const unsigned n = p->plan->n + p->plan->ahead;

	for (unsigned i = 0; i < n; i++)
		at[i] = p->operands[i] ? &AT_ID(a->operands, p->operands[i]) : NULL;
	return n;
}

/* Computes the shares of those candidates of a wait that are on a way (a sequence of instructions
 * that leads to ip) in the bit mask w->ways. Stores them in c[], their positions in the plan in
 * index[], and the slowest level in *level. Returns their number. */
static unsigned share_out(struct account *a, const struct wait *w, struct wait_choice *c,
			  unsigned *index, enum wait_level *level)
{
	const struct wait_plan *plan = AT_ID(a->places, w->place).plan;
	unsigned n = 0;

	for (unsigned i = 0; i < plan->n; i++) {
		if (!(w->ways >> plan->candidates[i].way & 1) || w->objects[i] == ACCOUNT_SKIPPED)
			continue;
		index[n] = i;
		c[n++] = choice_of(a, w, i);
	}
	*level = wait_share(c, n);
	return n;
}

/* Does one of the wait's n candidates wait for a cache line that another thread also uses? */
static bool has_moved(const struct wait *w, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (w->objects[i] != ACCOUNT_SKIPPED && w->objects[i] & ACCOUNT_MOVED)
			return true;
	return false;
}

/* Sets w->level and w->computes. `level` is what wait_share() returned. */
static void judge_wait(struct account *a, struct wait *w, enum wait_level level)
{
	const struct spot *p = &AT_ID(a->places, w->place);
	struct operand *operands[AROUND_MOST];
	struct pace pace = { PACE_MEMORY, 0 };

	operands_of(a, p, operands);
	if (level != WAIT_HITS && has_moved(w, p->plan->n))
		pace = moves_pace(p->plan, operands);
	else if (level != WAIT_HITS)
		pace = around_pace(p->plan, operands, &a->caches, p->reach);
	w->computes = pace.other;
	if (pace.verdict == PACE_ARITHMETIC)
		level = WAIT_HITS;
	else if (pace.verdict == PACE_UNCLEAR)
		level = WAIT_UNCLEAR;
	/* during the rest of the loop's time, the thread waits; every instruction of the loop may
	 * show this wait */
	else if (pace.other > 0)
		level = WAIT_MISSES;
	w->level = level;
}

static void estimate_wait(struct account *a, struct wait *w)
{
	struct spot *p = &AT_ID(a->places, w->place);
	struct operand *operands[AROUND_MOST];
	struct wait_choice c[ACCOUNT_MOST];
	unsigned index[ACCOUNT_MOST], n, all = p->plan->n;
	double rest = 1;
	enum wait_level level;

	n = operands_of(a, p, operands);
	around_reach(operands, n, &a->caches, p->reach);
	n = share_out(a, w, c, index, &level);
	judge_wait(a, w, level);
	for (unsigned i = 0; i < all; i++)
		w->share[i] = 0;
	for (unsigned i = 0; i < n; i++) {
		w->share[index[i]] = (float)c[i].share;
		rest -= c[i].share;
	}
	w->share[all] = rest > 1e-6 ? (float)rest : 0;
	w->next = w->samples + w->samples / 2 + 1;
}

/* Returns the candidate that is the atomic operation just before ip, if it is on the same way
 * (sequence of instructions) as candidate `best`; otherwise -1. */
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
	*due += part;
	if (*due < 1)
		return false;
	*due -= 1;
	return true;
}

void account_deal(struct account *a, uint32_t wait, uint64_t period, struct account_deal *out)
{
	struct wait *w = &AT_ID(a->waits, wait);
	const struct spot *p = &AT_ID(a->places, w->place);
	unsigned best = p->plan->n;
	double most = -1, own;
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
	*out = (struct account_deal){ .level = w->level };
	atomic = atomic_before(p->plan, best);
	out->atomic = atomic >= 0;
	own = ATOMIC_CYCLES / (ATOMIC_CYCLES + (out->atomic ? atomic_wait(a, w, best) : 0));
	if (out->atomic && is_of_part(own, &w->atomic)) {
		best = (unsigned)atomic;
		out->level = WAIT_HITS;
	} else if (w->level != WAIT_HITS && is_of_part(w->computes, &w->computing)) {
		out->level = WAIT_HITS;
		w->hidden += (double)period;
	} else if (best < p->plan->n && w->objects[best] != ACCOUNT_SKIPPED) {
		out->moved = w->objects[best] & ACCOUNT_MOVED;
	}
	out->candidate = best < p->plan->n ? (int)best : -1;
	if (out->candidate >= 0 && p->operands[best])
		out->object = operand_object(&a->operands.at[p->operands[best] - 1]);
}

/* Returns the sum of the periods of the samples that were charged to candidates with the same
 * object as candidate k. Returns -1 if a candidate before k has this object: the call for that
 * candidate has returned the sum already. */
static double given_to(const struct wait *w, const struct wait_choice *c, const unsigned *index,
		       unsigned n, unsigned k)
{
	double given = 0;

	for (unsigned i = 0; i < n; i++) {
		if (!c[i].possible || c[i].object != c[k].object)
			continue;
		if (i < k)
			return -1;
		given += w->given[index[i]];
	}
	return given;
}

/* Returns the share of this wait's samples that count as waiting; the other samples count as
 * arithmetic of the loop. */
static double charged_part(const struct wait *w)
{
	if (w->computes >= 1)
		return 0;
	return w->period > 0 ? 1 - w->hidden / w->period : 1;
}

void account_others(struct account *a, account_others_fn *fn, void *arg)
{
	struct wait_choice c[ACCOUNT_MOST];
	unsigned index[ACCOUNT_MOST];
	enum wait_level level;

	for (uint32_t i = 0; i < a->waits.n; i++) {
		const struct wait *w = &a->waits.at[i];
		unsigned n = share_out(a, w, c, index, &level);
		const double charged = charged_part(w);

		for (unsigned k = 0; k < n; k++) {
			double given =
				c[k].possible && c[k].object ? given_to(w, c, index, n, k) : -1;

			if (given >= 0 && charged * given < w->period)
				fn(arg, c[k].object, w->period - charged * given);
		}
	}
}

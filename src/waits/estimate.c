/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "waits/estimate.h"

#include "waits/around.h"
#include "waits/moves.h"
#include "waits/pace.h"

/* Bytes per ns. A stream that advances more slowly is not limited by the bandwidth of memory. */
#define SLOW_STREAM 1.0

/* Does an access with this expected wait take less time than a mispredicted jump? If a load that a
 * jump depends on takes longer, most of the time is assumed to be a wait for the load. A stream
 * takes less if it is known to advance slowly. */
static bool is_quick(const struct reach_access *x, bool stream, double wait)
{
	return stream ? x->rate > 0 && x->rate < SLOW_STREAM : wait < JUMP_CYCLES;
}

struct wait_choice estimate_choice(const struct wait_plan *plan, const struct wait_candidate *x)
{
	return (struct wait_choice){
		.insn = x->insn,
		.loop_start = x->loop_start,
		.loop_end = x->loop_end,
		.how = x->how,
		.way = x->way,
		.loop = x->loop,
		.only_stores = x->store && !x->load,
		.loaded = x->loaded,
		.lines = x->lines,
		.distance = x->distance,
		.optional = x->optional,
		.inside = x->load && wait_loop_has(&plan->loop, x->insn),
		.beside = wait_is_beside(&plan->loop, x),
		.wait = WAIT_UNSEEN,
	};
}

/* Returns wait_choice.miss of an access that is expected to wait for `wait` cycles on average. */
static double miss_of(const struct reach_access *x, const double reach[CACHE_LEVELS],
		      const struct wait_caches *c, double wait)
{
	double fetches;

	if (!x->fetched || x->fetched->most[0] <= 0)
		return 0;
	fetches = reach_fetches(x, x->fetched->most, reach, c);
	return fetches < wait ? fetches / (double)x->fetched->most[0] : 0;
}

static struct wait_choice choice_of(struct account *a, const struct wait *w, unsigned i)
{
	const struct spot *p = &AT_ID(a->places, w->place);
	const struct operand *o = p->operands[i] ? &AT_ID(a->operands, p->operands[i]) : NULL;
	struct wait_choice c = estimate_choice(p->plan, &p->plan->candidates[i]);

	c.object = w->objects[i] ? w->objects[i] & ~ACCOUNT_MOVED : o ? operand_object(o) : 0;
	if (w->objects[i] & ACCOUNT_MOVED) {
		c.known = true;
		c.wait = MOVED_CYCLES;
	} else if (operand_is_pointed(o, &p->plan->candidates[i])) {
		c.known = true;
		c.wait = a->caches.memory;
	} else if (o && o->known) {
		struct reach_access x = o->access;

		x.fetched = reuse_of(p->reuse, p->plan->nest, c.insn, NULL);
		c.known = true;
		c.stream = reach_is_stream(&x, &a->caches);
		c.wait = reach_wait(&x, p->reach, &a->caches);
		c.miss = miss_of(&x, p->reach, &a->caches, c.wait);
		c.fast = c.stream && x.rate >= SLOW_STREAM;
		c.quick = is_quick(&x, c.stream, c.wait) || p->plan->candidates[i].creeps;
	}
	return c;
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

/* Returns how many ns an iteration of loop l of p->nloops takes, according to its counter; 0 means
 * unknown. An iteration of the innermost one takes at least `least` ns. */
static double turn_time(const struct account *a, const struct spot *p, unsigned l, double least)
{
	const struct wait_counter *c = spot_counter(p, l);

	return c->adds ? turns_time(&a->turns, p->loops[l], c->adds, least) : 0;
}

/* Returns how many cycles an iteration of the innermost loop takes, according to its counter; 0
 * means unknown. The loop may end within the time between two samples. If it always runs the same
 * number of times, an iteration takes that part of the time of one of the loop around it; but only
 * as much of this time as the innermost loop has of the samples there. */
static double turn_cycles(const struct account *a, const struct spot *p)
{
	const double least = (double)p->plan->loop.least / PACE_CLOCK;
	double all = 1, runs, ns = 0;

	for (unsigned l = 0; l < p->nloops && ns <= 0; l++) {
		ns = turn_time(a, p, l, least * all);
		if (ns > 0 && l)
			ns *= turns_part(&a->turns, p->loops[0], p->loops[l]) / all;
		if (!p->nest || p->nest->loops[l].early)
			break;
		runs = turns_equal(&a->turns, p->loops[l]);
		if (runs <= 0)
			break;
		all *= runs;
	}
	return PACE_CLOCK * ns;
}

/* Sets `transfer` of the n choices c[], which are those of the plan's candidates index[]. */
static void set_transfers(struct account *a, const struct wait *w, struct wait_choice *c,
			  const unsigned *index, unsigned n)
{
	const struct spot *p = &AT_ID(a->places, w->place);
	struct operand *operands[AROUND_MOST];
	double cycles[ACCOUNT_MOST];

	operands_of(a, p, operands);
	around_transfers(p->plan, operands, p->reuse, turn_cycles(a, p), &a->caches, p->reach,
			 cycles);
	for (unsigned i = 0; i < n; i++)
		c[i].transfer = cycles[index[i]];
}

unsigned estimate_shares(struct account *a, const struct wait *w, struct wait_choice *c,
			 unsigned *index, enum wait_level *level)
{
	const struct wait_plan *plan = AT_ID(a->places, w->place).plan;
	unsigned n = 0, streams = 0;

	for (unsigned i = 0; i < plan->n; i++) {
		if (!(w->ways >> plan->candidates[i].way & 1) || w->objects[i] == ACCOUNT_SKIPPED)
			continue;
		index[n] = i;
		c[n] = choice_of(a, w, i);
		streams += c[n++].stream;
	}
	if (streams && n > 1)
		set_transfers(a, w, c, index, n);
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

/* Cycles; shorter waits, such as those for the second cache level, may end while the CPU executes
 * other instructions. In a loop, its arithmetic shows whether they do. */
#define SHORT_WAIT 20.0

/* Are the waits of all candidates that have a share known to be shorter than SHORT_WAIT? A stream
 * waits for bandwidth, so it does not count as short. */
static bool are_short(const struct wait_choice *c, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (c[i].share > 0 && (c[i].stream || c[i].wait >= SHORT_WAIT || !c[i].known))
			return false;
	return true;
}

static bool has_fast_stream(const struct wait_choice *c, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (c[i].share > 0 && c[i].fast)
			return true;
	return false;
}

/* May the thread have had other work during the wait? Called for code that is in no loop that
 * pace.h can judge. It may if the wait is short, and during the transfer of streams, unless one of
 * them is seen to be fast. */
static bool may_be_hidden(enum wait_level level, const struct wait_choice *c, unsigned n)
{
	return (level == WAIT_MISSES && are_short(c, n)) ||
	       (level == WAIT_STREAMS && !has_fast_stream(c, n));
}

/* Sets w->level, w->computes and w->unclear. `level` is what wait_share() returned for the n
 * candidates c[]. */
static void judge_wait(struct account *a, struct wait *w, enum wait_level level,
		       const struct wait_choice *c, unsigned n)
{
	const struct spot *p = &AT_ID(a->places, w->place);
	struct operand *operands[AROUND_MOST];
	struct pace pace = { .verdict = PACE_MEMORY };

	operands_of(a, p, operands);
	if (level != WAIT_HITS && has_moved(w, p->plan->n))
		pace = moves_pace(p->plan, operands);
	else if (level != WAIT_HITS)
		pace = around_pace(p->plan, operands, p->reuse, turn_cycles(a, p), &a->caches,
				   p->reach);
	w->computes = pace.other;
	w->jumping = pace.jumps;
	w->unclear = pace.unclear;
	if (pace.verdict == PACE_ARITHMETIC)
		level = WAIT_HITS;
	else if (pace.verdict == PACE_UNCLEAR)
		level = WAIT_UNCLEAR;
	/* the loop takes longer than its arithmetic and its hidden accesses: the thread waits
	 * during the rest of the time, and a sample at any instruction of the loop may be a part of
	 * this wait */
	else if (pace.other > 0)
		level = WAIT_MISSES;
	if (!p->plan->loop.n && may_be_hidden(level, c, n))
		w->unclear = 1;
	w->level = level;
}

/* Sets w->jumps. After a mispredicted jump, the CPU starts again with the instruction at ip. This
 * looks as if the jump had waited for the loads that decide it. So a sample on a way with such a
 * jump is a wait only if one of these loads takes at least as long as the jump. */
static void judge_jumps(struct account *a, struct wait *w, const struct wait_choice *c, unsigned n)
{
	w->jumps = AT_ID(a->places, w->place).plan->jumps;
	for (unsigned i = 0; i < n; i++)
		if (c[i].share > 0 && !c[i].quick)
			w->jumps &= (uint8_t) ~(1u << c[i].way);
}

/* Estimates how often the accesses of the loops around p fetch a cache line. */
static void find_reuse(struct account *a, struct spot *p, struct operand *const *operands)
{
	double runs[NEST_LOOPS] = { 0 };

	for (unsigned l = 0; p->reuse && l < p->plan->nest->n; l++)
		runs[l] = turns_usual(&a->turns, p->loops[l]);
	if (p->reuse)
		around_reuse(p->plan, p->nest, operands, runs, &a->caches, p->reuse);
}

void estimate_wait(struct account *a, struct wait *w)
{
	struct spot *p = &AT_ID(a->places, w->place);
	struct operand *operands[AROUND_MOST];
	struct wait_choice c[ACCOUNT_MOST];
	unsigned index[ACCOUNT_MOST], n, all = p->plan->n;
	double rest = 1;
	enum wait_level level;

	n = operands_of(a, p, operands);
	around_reach(operands, n, &a->caches, p->reach);
	find_reuse(a, p, operands);
	n = estimate_shares(a, w, c, index, &level);
	judge_wait(a, w, level, c, n);
	judge_jumps(a, w, c, n);
	for (unsigned i = 0; i < all; i++)
		w->share[i] = 0;
	for (unsigned i = 0; i < n; i++) {
		w->share[index[i]] = (float)c[i].share;
		rest -= c[i].share;
	}
	w->share[all] = rest > 1e-6 ? (float)rest : 0;
	w->next = w->samples + w->samples / 2 + 1;
}

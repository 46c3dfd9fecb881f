/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "waits/moves.h"

#include <math.h>

#include "waits/around.h"

enum {
	/* bytes. If the addresses of a load spread over at most this range, an earlier store to the
	 * same address is assumed to be still in the store buffer */
	NEAR = 512,
};

/* Cycles that a mispredicted jump takes. */
#define JUMP 20.0

/* Cycles between the completion of two stores of one core to a line that other threads use. Loops
 * that only count take 4.5 to 7 cycles on an Intel Xeon, and 27 to 48 on an AMD EPYC. */
#define STORE_LEAST 4.0
#define STORE_MOST  40.0

/* The accesses of the loop to lines that move. */
struct uses {
	struct use {
		const struct operand *operand;
		uint32_t insn;
		bool load, store;
	} at[AROUND_MOST];
	unsigned n;
	bool atomic;     /* whether one of them is an atomic operation */
	double measured; /* cycles of an iteration, from the rate of a stream; 0 means unknown */
};

static bool is_moved(const struct operand *o)
{
	return 2 * o->moved > o->seen;
}

static void add_use(struct uses *u, const struct use *x, bool lock)
{
	for (unsigned i = 0; i < u->n; i++)
		if (u->at[i].insn == x->insn)
			return;
	u->at[u->n++] = *x;
	u->atomic = u->atomic || lock;
}

static void find_uses(const struct wait_plan *plan, struct operand *const *operands, struct uses *u)
{
	u->n = 0;
	u->atomic = false;
	u->measured = 0;
	for (unsigned i = 0; i < plan->n + plan->ahead; i++) {
		const struct wait_candidate *c = i < plan->n ? &plan->candidates[i] : NULL;
		const struct wait_access *x = c ? NULL : &plan->accesses[i - plan->n];
		const struct operand *o = operands[i];
		const struct use use = { o, c ? c->insn : x->insn, c ? c->load : x->load,
					 c ? c->store : x->store };
		double cycles;

		if (!o || !o->known || (plan->loop.n && !wait_loop_has(&plan->loop, use.insn)))
			continue;
		cycles = pace_measured(c ? c->step : x->step, o->access.rate);
		if (cycles > 0 && (u->measured <= 0 || cycles < u->measured))
			u->measured = cycles;
		if (is_moved(o))
			add_use(u, &use, c ? c->lock : x->lock);
	}
}

/* Does the load get its value from a store of the same loop that is still in the store buffer? */
static bool is_forwarded(const struct uses *u, const struct use *load)
{
	if (load->operand->access.footprint > NEAR)
		return false;
	for (unsigned i = 0; i < u->n; i++)
		if (u->at[i].store && operand_meets(u->at[i].operand, load->operand))
			return true;
	return false;
}

/* Does each load get its value from a store, so that no access waits until its line arrives? */
static bool only_stores(const struct uses *u)
{
	for (unsigned i = 0; i < u->n; i++)
		if (u->at[i].load && !is_forwarded(u, &u->at[i]))
			return false;
	return true;
}

/* Does a load before this one in u->at wait for the same line, so that this load need not wait? It
 * does if both access one line of an object. Two lines of one object count as the same line. */
static bool is_on_line(const struct uses *u, const struct use *load)
{
	for (const struct use *x = u->at; x < load; x++)
		if (x->load && x->operand->object == load->operand->object &&
		    x->operand->access.footprint <= CACHE_LINE &&
		    load->operand->access.footprint <= CACHE_LINE && !is_forwarded(u, x))
			return true;
	return false;
}

/* Adds to *least and *most how many cycles an access takes in an iteration. */
static void add_cycles(const struct wait_loop *l, const struct uses *u, const struct use *x,
		       double *least, double *most)
{
	const double together = l->branches ? 1 : fmax(1, (double)WAIT_REORDER / l->n);

	if (x->store) {
		*least += STORE_LEAST;
		*most += STORE_MOST;
	}
	if (!x->load || is_forwarded(u, x) || is_on_line(u, x))
		return;
	*least += MOVED_CYCLES / together;
	*most += MOVED_CYCLES / fmax(1, together / 2);
}

struct pace moves_pace(const struct wait_plan *plan, struct operand *const *operands)
{
	const struct wait_loop *l = &plan->loop;
	const double arithmetic = (double)l->least, likely = (double)l->likely;
	double least = 0, most = 0, takes;
	struct pace p = { .verdict = PACE_MEMORY };
	struct uses u;

	find_uses(plan, operands, &u);
	if (!u.n || u.atomic)
		return p;
	if (!l->n) {
		p.verdict = only_stores(&u) ? PACE_UNCLEAR : PACE_MEMORY;
		return p;
	}
	for (unsigned i = 0; i < u.n; i++)
		add_cycles(l, &u, &u.at[i], &least, &most);
	if (most <= arithmetic)
		return (struct pace){ .verdict = PACE_ARITHMETIC, .other = 1 };
	takes = u.measured > 0 ? u.measured : least;
	if (takes <= likely + (l->branches || l->overlaps ? JUMP : 0))
		p.verdict = PACE_UNCLEAR;
	if (u.measured <= 0)
		takes = pace_expected(p.verdict, likely, least, most);
	p.other = arithmetic / fmax(arithmetic, takes);
	return p;
}

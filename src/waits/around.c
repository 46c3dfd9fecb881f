/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "waits/around.h"

#include <math.h>

/* Adds the operand's access to all[0..n), a list for reach_find(), and returns the new n. objects[]
 * has the object of each element. Of several accesses to one part of an object, only the one with
 * the largest footprint is listed, because they touch the same cache lines. */
static unsigned add_access(const struct operand *o, struct reach_access *all, uint32_t *objects,
			   unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		if (!o->object || objects[i] != o->object || !reach_same_part(&o->access, &all[i]))
			continue;
		if (o->access.footprint > all[i].footprint) {
			const uint64_t low = all[i].low, high = all[i].high;

			all[i] = o->access;
			all[i].low = low; /* of the first access: what overlaps with it counts */
			all[i].high = high;
		}
		return n;
	}
	objects[n] = o->object;
	all[n] = o->access;
	return n + 1;
}

void around_reach(struct operand *const *operands, unsigned n, const struct wait_caches *c,
		  double reach[CACHE_LEVELS])
{
	struct reach_access all[AROUND_MOST];
	uint32_t objects[AROUND_MOST];
	bool due = !reach[0];
	unsigned known = 0;

	for (unsigned i = 0; i < n; i++) {
		struct operand *o = operands[i];

		if (o && operand_is_due(o)) {
			operand_judge(o);
			due = true;
		}
		if (o && o->known)
			known = add_access(o, all, objects, known);
	}
	if (due)
		reach_find(all, known, c, reach);
}

/* Adds an access of the loop to all[0..n), unless an access of the same instruction is listed
 * already. Returns the new n. `o` is the operand of the access. */
static unsigned add_paced(struct pace_access *all, unsigned n, struct pace_access x,
			  const struct operand *o)
{
	for (unsigned i = 0; i < n; i++)
		if (all[i].insn == x.insn)
			return n;
	const struct reach_fetched *fetched = x.access.fetched;

	x.access = o->access;
	x.access.fetched = fetched;
	x.object = o->object;
	if (o->streams)
		x.step = WAIT_NO_STEP; /* the step may lead from one stream to the next */
	all[n] = x;
	return n + 1;
}

static struct pace_access of_candidate(const struct wait_candidate *c)
{
	return (struct pace_access){ .insn = c->insn,
				     .step = c->step,
				     .recurrent = c->loop,
				     .row = c->row,
				     .stores = c->store && !c->load };
}

static struct pace_access of_access(const struct wait_access *x)
{
	return (struct pace_access){ .insn = x->insn,
				     .step = x->step,
				     .stores = x->store && !x->load };
}

/* Returns how many bytes the operand of instruction `insn` touches in total; INFINITY if this is
 * not known. */
static double footprint_of(const struct wait_plan *plan, struct operand *const *operands,
			   uint32_t insn)
{
	for (unsigned i = 0; i < plan->n + plan->ahead; i++) {
		const uint32_t at =
			i < plan->n ? plan->candidates[i].insn : plan->accesses[i - plan->n].insn;

		if (at == insn && operands[i] && operands[i]->known)
			return operands[i]->access.footprint;
	}
	return INFINITY;
}

void around_reuse(const struct wait_plan *plan, const struct nest *nest,
		  struct operand *const *operands, const double runs[NEST_LOOPS],
		  const struct wait_caches *c, struct reuse *out)
{
	double most[NEST_ACCESSES];

	for (unsigned i = 0; i < nest->naccesses; i++)
		most[i] = footprint_of(plan, operands, nest->accesses[i].insn);
	reuse_find(nest, runs, most, c, out);
}

/* Stores the known accesses of the plan's loop in all[], and returns their number. */
static unsigned list_paced(const struct wait_plan *plan, struct operand *const *operands,
			   const struct reuse *reuse, struct pace_access *all)
{
	unsigned n = 0;

	for (unsigned i = 0; i < plan->n + plan->ahead; i++) {
		const struct operand *o = operands[i];
		struct pace_access x = i < plan->n ? of_candidate(&plan->candidates[i])
						   : of_access(&plan->accesses[i - plan->n]);

		x.jumps = reuse_jumps(reuse, plan->nest, x.insn);
		x.access.fetched = reuse_of(reuse, plan->nest, x.insn, &x.again);
		if (o && o->known && wait_loop_has(&plan->loop, x.insn))
			n = add_paced(all, n, x, o);
	}
	pace_parts(all, n);
	return n;
}

/* Does the plan's loop contain an access through scattered pointers of which nothing else is known?
 */
static bool has_pointed(const struct wait_plan *plan, struct operand *const *operands)
{
	for (unsigned i = 0; i < plan->n; i++)
		if (wait_loop_has(&plan->loop, plan->candidates[i].insn) &&
		    operand_is_pointed(operands[i], &plan->candidates[i]))
			return true;
	return false;
}

struct pace around_pace(const struct wait_plan *plan, struct operand *const *operands,
			const struct reuse *reuse, double turn, const struct wait_caches *c,
			const double reach[CACHE_LEVELS])
{
	struct pace_access all[AROUND_MOST];
	const unsigned n = list_paced(plan, operands, reuse, all);

	if (has_pointed(plan, operands))
		return (struct pace){ .verdict = PACE_MEMORY };
	return pace_judge(&plan->loop, all, n, turn, c, reach);
}

void around_transfers(const struct wait_plan *plan, struct operand *const *operands,
		      const struct reuse *reuse, double turn, const struct wait_caches *c,
		      const double reach[CACHE_LEVELS], double *cycles)
{
	struct pace_access all[AROUND_MOST];
	double each[AROUND_MOST];
	const unsigned n = list_paced(plan, operands, reuse, all);

	pace_transfers(&plan->loop, all, n, turn, c, reach, each);
	for (unsigned i = 0; i < plan->n; i++) {
		cycles[i] = 0;
		for (unsigned k = 0; k < n; k++)
			if (all[k].insn == plan->candidates[i].insn)
				cycles[i] = each[k];
	}
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "import/charged.h"

#include "import/pipeline.h"

enum { LINE_BYTES = 64 };

/* Finds the first load of at[0..n) whose address is in the object and on the cache line, and stores
 * this load in *out. Returns false if there is none. */
static bool first_of_line(const struct asked *a, const struct wait_access *at, unsigned n,
			  uint64_t line, uint32_t object, struct waited_for *out)
{
	for (unsigned i = 0; i < n; i++) {
		uint64_t address;

		if (!at[i].load || !asked_address(a, &at[i].address, &address) ||
		    address / LINE_BYTES != line || asked_object(a, address) != object)
			continue;
		out->operand = at[i];
		out->address = address;
		return true;
	}
	return false;
}

/* Finds the load for which a sample waited, when the address of that load's operand is lost.
 * out->address is the address that the same load or pointer accesses next. In a list or a tree,
 * several loads access one node: the first of them fetches the cache line, and the others wait for
 * it, too. So the first load from the line represents them all. If the operand has an index, which
 * is lost, and no other load accesses the line, the accessed member is unknown. */
static void find_first_touch(const struct asked *a, const struct wait_candidate *c,
			     struct waited_for *out)
{
	/* only a list or a tree has the same member in the next node */
	const uint64_t address = out->address + (uint64_t)(int64_t)(c->loop ? c->apart : 0);
	const uint64_t line = address / LINE_BYTES;
	const uint32_t object = asked_object(a, out->address);

	if (first_of_line(a, a->plan->earlier, a->plan->before, line, object, out) ||
	    first_of_line(a, a->plan->accesses, a->plan->ahead, line, object, out))
		return;
	if (c->indexed)
		out->source = ADDR_NEARBY;
	else
		out->address = address;
}

/* Can the candidate have accessed this address? At the end of a list, the computed address of the
 * next access is a null pointer plus an offset, but that access never runs. */
static bool is_possible_address(const struct asked *a, const struct wait_candidate *c,
				uint64_t address)
{
	if (!address)
		return false;
	return asked_object(a, address) || (c->by != WAIT_BY_NEXT && !asked_was_skipped(a, c));
}

/* Does the code around the sample also store to the address that candidate *c loads? Compilers
 * split x += y into a load, an addition and a store, and on some CPUs no thread ever waits for the
 * store. Two kinds of stores count: those that ran before ip on the same way (wait_candidate.way),
 * and those after ip in a loop without branches. */
static bool is_stored_back(const struct asked *a, const struct wait_candidate *c, uint64_t address)
{
	const struct wait_plan *plan = a->plan;
	uint64_t at;

	for (unsigned i = 0; i < plan->n; i++) {
		const struct wait_candidate *x = &plan->candidates[i];

		if (x->store && x->way == c->way && x->by == WAIT_BY_ADDRESS &&
		    !asked_did_not_run(a, x) && asked_address(a, &x->address, &at) && at == address)
			return true;
	}
	for (unsigned i = 0; i < plan->ahead && !plan->loop.branches; i++) {
		const struct wait_access *x = &plan->accesses[i];

		if (x->store && wait_loop_has(&plan->loop, x->insn) &&
		    asked_address(a, &x->address, &at) && at == address)
			return true;
	}
	return false;
}

/* Returns the step if it is one of the first WAIT_STEPS different steps, otherwise 0. A loop may
 * have a different step each time it runs, as in a sieve of primes. Without this limit, each of its
 * samples might need its own row of access_kinds. */
static int64_t known_step(struct import_waits *w, int64_t step)
{
	for (uint32_t i = 0; i < w->nsteps; i++)
		if (w->steps[i] == step)
			return step;
	if (!step || w->nsteps == WAIT_STEPS)
		return 0;
	w->steps[w->nsteps++] = step;
	return step;
}

/* Returns by how much the address of candidate *c changes in an iteration, for the table; 0 if this
 * is not known, or if it leaves out no large part of the cache lines. */
static int64_t listed_step(const struct asked *a, const struct wait_candidate *c, uint64_t address)
{
	const int64_t step = asked_step(a, c, address);

	return c->dense && llabs(step) > 64 ? 0 : known_step(&a->im->model.waits, step);
}

static struct lost_operand lost_operand(const struct asked *a, unsigned which, uint32_t object)
{
	const struct wait_candidate *c = &a->plan->candidates[which];

	return (struct lost_operand){ .place = a->place,
				      .which = (uint8_t)which,
				      .object = object,
				      .bytes = (uint8_t)(c->bytes * c->elements),
				      .elements = c->elements,
				      .load = c->load,
				      .store = c->store,
				      .lock = c->lock };
}

/* Returns the object that contains nearly all known addresses of the candidate's operand; 0 if
 * there is none, or if it is the stack of another thread. */
static uint32_t usual_object(const struct asked *a, unsigned which)
{
	const uint32_t id = account_object(a->im->model.waits.account, a->place, which);
	const struct object *x = id ? &AT_ID(a->im->model.objects.objects, id) : NULL;

	return x && (x->kind != OBJECT_STACK || x->thread == a->who->thread) ? id : 0;
}

/* Computes the address of candidate `which`, to which the account charged the sample. If it is
 * lost, sets the object that contains nearly all known addresses of the candidate's operand. */
static void find_address(const struct asked *a, unsigned which, struct waited_for *out)
{
	static const enum addr_source sources[] = {
		[WAIT_BY_ADDRESS] = ADDR_RETIRED,
		[WAIT_BY_COPY] = ADDR_RECOVERED,
		[WAIT_BY_NEXT] = ADDR_AGAIN,
		[WAIT_BY_BASE] = ADDR_OBJECT,
	};
	const struct wait_candidate *c = &a->plan->candidates[which];
	const uint32_t usual = usual_object(a, which);
	const bool unrun = asked_did_not_run(a, c);
	bool known, ran;

	out->operand = (struct wait_access){ .insn = c->insn,
					     .bytes = (uint8_t)(c->bytes * c->elements),
					     .elements = c->elements,
					     .load = c->load,
					     .store = c->store,
					     .lock = c->lock };
	known = !unrun && asked_candidate(a, c, &out->address);
	if (known && is_possible_address(a, c, out->address) &&
	    !asked_elsewhere(c, asked_object(a, out->address), usual))
		out->source = sources[c->by];
	if (out->source == ADDR_RETIRED || out->source == ADDR_RECOVERED) {
		out->operand.store = c->store || is_stored_back(a, c, out->address);
		if (c->how != WAIT_OWN)
			out->source = ADDR_EARLIER;
	}
	if (out->source != ADDR_NONE && out->source != ADDR_OBJECT)
		out->step = listed_step(a, c, out->address);
	if (out->source == ADDR_AGAIN)
		find_first_touch(a, c, out);
	if (out->source == ADDR_OBJECT)
		out->object = asked_object(a, out->address);
	if (out->source == ADDR_NONE || (out->source == ADDR_OBJECT && !out->object)) {
		ran = (!unrun || asked_runs_now(a, c)) && !(known && asked_was_skipped(a, c));
		out->address = 0;
		out->object = ran ? usual : 0;
		if (ran)
			out->learns = lost_operand(a, which, usual);
		out->source = out->object ? ADDR_OBJECT : ADDR_NONE;
		out->lost = !out->object && wait_is_pointed(c);
	}
}

/* The account does not ask for the objects of all candidates, so it may choose a candidate that did
 * not run. Returns the candidate that gets the sample: the one that asked_instead() finds in place
 * of `which`, otherwise `which`. */
static unsigned candidate_that_ran(const struct asked *a, unsigned which)
{
	const struct wait_candidate *c = &a->plan->candidates[which];
	uint64_t address;
	int instead;

	if (!asked_candidate(a, c, &address))
		return which;
	instead = asked_instead(a, c, address, asked_object(a, address));
	return instead < 0 ? which : (unsigned)instead;
}

/* The account attributes the sample to operand `which`. May the thread have waited for this operand
 * although that is not certain enough to charge the sample to its object? It may
 *   - if it is not clear whether it is a wait, and it is one of those that cost nothing;
 *   - if the operand seems to hit the first cache level, but other threads use its cache line;
 *   - if it is unclear whether it waited for such a line, or whether a mispredicted jump took the
 *     time;
 *   - if the instruction before ip only computes, and the operand is a stream that may have been
 *     fetched meanwhile.
 * It did not if its code waits for something else. */
static bool is_uncharged(const struct asked *a, unsigned which, const struct waited_for *w)
{
	if (a->who->elsewhere)
		return false;
	if (w->level == WAIT_HITS)
		return a->lines[which] != LINE_PRIVATE;
	if (w->moved || w->jumped || w->costless)
		return w->level == WAIT_UNCLEAR;
	return a->who->computes && w->level != WAIT_MISSES && !w->atomic &&
	       (!w->unsure || w->streams);
}

/* Counts in waits->uncharged a sample that is not charged to operand `which`, but may have waited
 * for its object. If its address is lost, learned.h does so, because the object may change. */
static void note_uncharged(const struct asked *a, unsigned which, struct waited_for *w)
{
	uint32_t object = w->object ? w->object : asked_object(a, w->address);

	if (!is_uncharged(a, which, w))
		return;
	if (w->learns.place)
		w->learns.uncharged = true;
	else if (object)
		waits_uncharged(a->im, object, a->who->period);
}

void charged_find(const struct asked *a, unsigned which, struct waited_for *out)
{
	which = candidate_that_ran(a, which);
	find_address(a, which, out);
	note_uncharged(a, which, out);
}

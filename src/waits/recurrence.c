/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds loads in a loop that wait for their own previous iteration: the loaded value is the address
 * of the next load, as in lists and trees. Unlike other loads, such a load cannot start before the
 * load of the previous iteration has finished.
 *
 * If there are several ways around the loop, the load need not depend on itself on each of them. In
 * an interpreter, most instructions only add a constant to the program counter, and only a jump
 * loads a new one. The CPU predicts the branches and does not wait. So a load does not count as
 * recurrent if its address depends on no load at all on another way around the same loop, which
 * avoids a part of the first way and is not longer. Longer ways lead around an outer loop, which
 * enters the next list, for example.
 */
#include <stdlib.h>

#include "waits/search.h"

enum { MOST_STEPS = 512, MOST_QUEUED = 1024, LONGEST_LOOP = 64 };

struct step {
	uint32_t at;
	/* the instructions that the search has passed so far, going backwards from the load */
	struct recurrence turn;
	struct regset need;
	uint32_t parent; /* the step after which this instruction runs: position in `todo` + 1 */
	bool loaded; /* whether a load has yielded one of the values on which the address depends */
};

/* The steps to examine are a queue, so that the shortest way around the loop is found first. */
struct steps {
	struct step todo[MOST_QUEUED], seen[MOST_STEPS];
	uint32_t first, ntodo, nseen; /* todo[first..ntodo) are not examined yet */
};

static bool same_state(const struct step *x, const struct step *y)
{
	return x->at == y->at && x->need.regs == y->need.regs && x->need.slots == y->need.slots &&
	       x->loaded == y->loaded;
}

static bool was_seen(const struct steps *s, const struct step *x)
{
	for (uint32_t i = 0; i < s->nseen; i++)
		if (same_state(&s->seen[i], x))
			return true;
	return false;
}

/* Adds to the queue the instructions that may have run just before that of *x. */
static void go_back(struct body *b, struct steps *s, const struct step *x)
{
	struct body_way before[BODY_WAYS];
	unsigned ways = body_before(b, x->at, before);
	struct step next = *x;

	next.turn.n++;
	next.turn.first = x->at < next.turn.first ? x->at : next.turn.first;
	next.turn.last = x->at > next.turn.last ? x->at : next.turn.last;
	for (unsigned i = 0; i < ways && s->ntodo < MOST_QUEUED; i++) {
		next.at = before[i].from;
		s->todo[s->ntodo++] = next;
	}
}

/* Returns the registers before instruction o that determine the values of the registers `need`
 * after it. Flags are registers, too: a conditional move makes an address depend on a comparison.
 */
static struct regset input_registers(struct regset need, const struct operation *o)
{
	need.regs = (need.regs & ~o->writes.regs) | o->reads.regs;
	need.slots = (need.slots & ~o->writes.slots) | o->reads.slots;
	return need;
}

static const struct step *before(const struct steps *s, const struct step *x)
{
	return x->parent ? &s->todo[x->parent - 1] : NULL;
}

/* Returns the last step before *x on its way that was in the same state; NULL if there was none. */
static const struct step *same_before(const struct steps *s, const struct step *x)
{
	for (const struct step *i = before(s, x); i; i = before(s, i))
		if (same_state(i, x))
			return i;
	return NULL;
}

/* Does the way from step *from to step *to contain this instruction? */
static bool passes(const struct steps *s, const struct step *from, const struct step *to,
		   uint32_t at)
{
	for (const struct step *i = to; i != from; i = before(s, i))
		if (i->at == at)
			return true;
	return false;
}

/* Does the way to *x come around a loop, through load k, to the state of an earlier step? */
static bool repeats(const struct steps *s, const struct step *x, uint32_t k)
{
	const struct step *from = same_before(s, x);

	return from && passes(s, from, x, k);
}

/* *x repeats the state of an earlier step. Is the way around the loop between the two another one
 * than that of *cycle, of the same loop? Then it avoids an instruction of it, and is no longer. */
static bool is_other_way(const struct steps *s, const struct step *x, const struct step *cycle)
{
	const struct step *from = same_before(s, x);

	if (x->turn.n - from->turn.n > cycle->turn.n)
		return false;
	for (const struct step *i = cycle; i; i = before(s, i))
		if (!passes(s, from, x, i->at))
			return true;
	return false;
}

struct search {
	struct step cycle; /* the shortest way around a loop on which the load depends on itself;
			    * turn.n is 0 if there is none */
	/* a way around a loop on which it depends on no load; NULL means that there is none */
	const struct step *unbound;
};

/* Takes *x into account, which may complete one of the two ways. `writes`: the instruction writes a
 * register that is needed. Returns false if there are both ways, and they are around the same loop.
 */
static bool note_ways(const struct steps *s, const struct step *x, uint32_t k, bool writes,
		      struct search *f)
{
	if (x->at == k && writes && x->turn.n) {
		if (f->cycle.turn.n)
			return true;
		f->cycle = *x;
		return !f->unbound || !is_other_way(s, f->unbound, x);
	}
	if (x->loaded || !repeats(s, x, k))
		return true;
	f->unbound = x;
	return !f->cycle.turn.n || !is_other_way(s, x, &f->cycle);
}

/* The longest way to follow, once the load is known to depend on itself: two turns around the loop,
 * none longer than the shortest one on which it does. */
static uint32_t longest_way(const struct search *f)
{
	return f->cycle.turn.n ? 2 * f->cycle.turn.n : 2 * LONGEST_LOOP;
}

static struct recurrence search_cycle(struct body *b, uint32_t k, struct steps *s)
{
	struct search found = { .unbound = NULL };

	while (s->first < s->ntodo && s->nseen < MOST_STEPS) {
		const struct step *x = &s->todo[s->first++];
		struct step next = *x;
		const struct operation *o = body_operation(b, x->at);
		const bool writes = regset_any(regset_and(o->writes, x->need));

		if (x->turn.n > (x->loaded ? LONGEST_LOOP : longest_way(&found)) ||
		    !regset_any(x->need))
			continue;
		if (!note_ways(s, x, k, writes, &found))
			return (struct recurrence){ 0 };
		if (was_seen(s, x))
			continue;
		s->seen[s->nseen++] = *x;
		if (writes && x->turn.n) {
			next.need = input_registers(x->need, o);
			next.loaded = x->loaded || (o->access && o->mem.load);
		}
		next.parent = s->first;
		go_back(b, s, &next);
	}
	return found.cycle.turn;
}

struct recurrence recurrence_find(struct body *b, uint32_t k)
{
	const struct operation *o = body_operation(b, k);
	struct step load = { .at = k, .turn = { .first = k, .last = k } };
	struct recurrence turn = load.turn;
	struct steps *s;

	if (!o->access || !o->mem.load)
		return turn;
	if (o->mem.base >= 0)
		regset_add(&load.need, o->mem.base);
	if (o->mem.index >= 0)
		regset_add(&load.need, o->mem.index);
	s = malloc(sizeof(*s));
	if (!s) {
		b->nomem = true;
		return turn;
	}
	s->todo[0] = load;
	s->ntodo = 1;
	s->first = s->nseen = 0;
	turn = search_cycle(b, k, s);
	free(s);
	return turn;
}

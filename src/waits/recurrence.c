/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds loads in a loop that wait for their own previous iteration: the loaded value is the address
 * of the next load, as in lists and trees. Unlike other loads, such a load cannot start before the
 * load of the previous iteration has finished. */
#include <stdlib.h>

#include "waits/search.h"

enum { MOST_STEPS = 512, LONGEST_LOOP = 64 };

struct step {
	uint32_t at;
	/* the instructions that the search has passed so far, going backwards from the load */
	struct recurrence turn;
	struct regset need;
};

struct steps {
	struct step todo[MOST_STEPS], seen[MOST_STEPS];
	uint32_t ntodo, nseen;
};

static bool was_seen(const struct steps *s, const struct step *x)
{
	for (uint32_t i = 0; i < s->nseen; i++)
		if (s->seen[i].at == x->at && s->seen[i].need.regs == x->need.regs &&
		    s->seen[i].need.slots == x->need.slots)
			return true;
	return false;
}

static void go_back(struct body *b, struct steps *s, uint32_t k, struct recurrence turn,
		    struct regset need)
{
	struct body_way before[BODY_WAYS];
	unsigned ways = body_before(b, k, before);

	turn.n++;
	turn.first = k < turn.first ? k : turn.first;
	turn.last = k > turn.last ? k : turn.last;
	for (unsigned i = 0; i < ways && s->ntodo < MOST_STEPS; i++)
		s->todo[s->ntodo++] = (struct step){ before[i].from, turn, need };
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

static struct recurrence search_cycle(struct body *b, uint32_t k, struct steps *s)
{
	while (s->ntodo && s->nseen < MOST_STEPS) {
		struct step x = s->todo[--s->ntodo];
		const struct operation *o;

		if (x.turn.n > LONGEST_LOOP || !regset_any(x.need) || was_seen(s, &x))
			continue;
		s->seen[s->nseen++] = x;
		o = body_operation(b, x.at);
		if (regset_any(regset_and(o->writes, x.need))) {
			if (x.at == k)
				return x.turn;
			x.need = input_registers(x.need, o);
		}
		go_back(b, s, x.at, x.turn, x.need);
	}
	return (struct recurrence){ 0 };
}

struct recurrence recurrence_find(struct body *b, uint32_t k)
{
	const struct operation *o = body_operation(b, k);
	struct recurrence turn = { .first = k, .last = k };
	struct regset need = { 0 };
	struct steps *s;

	if (!o->access || !o->mem.load)
		return turn;
	if (o->mem.base >= 0)
		regset_add(&need, o->mem.base);
	if (o->mem.index >= 0)
		regset_add(&need, o->mem.index);
	s = malloc(sizeof(*s));
	if (!s) {
		b->nomem = true;
		return turn;
	}
	s->ntodo = s->nseen = 0;
	go_back(b, s, k, turn, need);
	turn = search_cycle(b, k, s);
	free(s);
	return turn;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds how a sample shows that it is in the first iteration of a loop. In
 *
 *	xor %eax,%eax; head: mov (%rdi,%rax,8),%rdx; ...; add $1,%rax; cmp %rsi,%rax; jne head
 *
 * %rax is 0 in the first iteration only. So if it is, the accesses of the iteration before, whose
 * addresses the registers seem to give, never happened. */
#include <string.h>

#include "waits/search.h"

enum {
	MOST_BEFORE = 24,   /* instructions before the loop that are examined */
	MOST_INSIDE = 1024, /* instructions of a loop; longer ones are not examined */
};

/* The instructions of a loop. If it is entered in the middle, some of them are before its head. */
struct range {
	uint32_t first, head, last;
};

/* Finds the instructions of the loop with this head. Returns false if they are too many. */
static bool find_range(struct body *b, uint32_t head, struct range *r)
{
	struct body_way way[BODY_WAYS];
	unsigned n = body_before(b, head, way);

	*r = (struct range){ head, head, head };
	for (int i = 0; n && i < MOST_BEFORE; i++) {
		const uint32_t first = r->first;

		for (unsigned k = 0; k < n; k++) {
			if (way[k].from > r->last)
				r->last = way[k].from;
			if (way[k].from < r->first)
				r->first = way[k].from;
		}
		/* a part before the head: it goes back to the jump that leads to it */
		n = r->first < first ? body_before(b, r->first, way) : 0;
	}
	return !n && r->last - r->first < MOST_INSIDE;
}

/* Does each iteration execute instruction k? It does if no jump inside the loop leads around it. */
static bool is_in_each(const struct body *b, struct range r, uint32_t k)
{
	for (uint32_t i = r.head; i < k; i++) {
		const int64_t to = b->insns.at[i].target;

		if (to >= r.first && to <= r.last && (to <= r.head || to > k))
			return false;
	}
	return k >= r.head;
}

/* Is register `reg` a counter: does each iteration add a constant to it, always in the same
 * direction, and change it in no other way? Then it never has its first value again. */
static bool is_counter(struct body *b, struct range r, int reg)
{
	bool up = false, down = false, each = false;

	for (uint32_t k = r.first; k <= r.last; k++) {
		const struct operation *o = body_operation(b, k);

		if (!regset_has(&o->writes, reg))
			continue;
		if (o->move.to != reg || o->move.from != reg)
			return false;
		up |= o->move.add > 0;
		down |= o->move.add < 0;
		each |= is_in_each(b, r, k);
	}
	return each && up != down;
}

static bool is_written(struct body *b, struct range r, int reg)
{
	for (uint32_t k = r.first; k <= r.last; k++)
		if (regset_has(&body_operation(b, k)->writes, reg))
			return true;
	return false;
}

static bool term_of(const struct value *v, struct wait_term *out)
{
	*out = (struct wait_term){ .reg = v->from, .wraps32 = v->wraps32, .add = (int32_t)v->add };
	return v->known && v->add == out->add;
}

/* Finds to which value instruction k, which runs before the loop, sets a register. `v` has the
 * values after it. Returns false if it depends on what the loop changes. */
static bool start_of(struct body *b, struct range r, uint32_t k, uint32_t ip,
		     const struct values *v, struct wait_address *out)
{
	const struct operation o = *body_operation(b, k);
	struct value from;

	memset(out, 0, sizeof(*out)); /* tests are compared as bytes */
	out->base.reg = out->index.reg = -1;
	if (o.constant.to >= 0) {
		out->ip_relative = o.constant.ip_relative;
		out->disp = o.constant.value + (out->ip_relative ? offset_from(b, k, ip) : 0);
		return true;
	}
	from = v->at[o.move.from];
	from.add += o.move.add;
	from.wraps32 |= o.move.wraps32;
	return term_of(&from, &out->base) && !regset_has(&o.writes, o.move.from) &&
	       !is_written(b, r, from.from);
}

/* Does instruction k, which runs before the loop, set a counter to a known value? */
static bool sets_counter(struct body *b, struct range r, uint32_t k, uint32_t ip,
			 const struct values *v, struct wait_test *out)
{
	const struct operation *o = body_operation(b, k);
	const int to = o->constant.to >= 0 ? o->constant.to : o->move.to;

	return to >= 0 && to < BODY_SLOT && (o->constant.to >= 0 || o->move.from != to) &&
	       term_of(&v->at[to], &out->value) && is_counter(b, r, to) &&
	       start_of(b, r, k, ip, v, &out->against);
}

bool first_find(struct body *b, uint32_t head, uint32_t ip, const struct values *v,
		struct wait_test *out)
{
	struct range r;
	struct body_way way[BODY_WAYS];
	struct values values = *v;

	if (!find_range(b, head, &r) || body_entries(b, head, way) != 1)
		return false;
	memset(out, 0, sizeof(*out));
	out->condition = CONDITION_EQUAL;
	for (int i = 0; i < MOST_BEFORE; i++) {
		const uint32_t k = way[0].from;

		if (sets_counter(b, r, k, ip, &values, out))
			return true;
		values_back(&values, body_operation(b, k));
		if (body_before(b, k, way) != 1 || way[0].around)
			return false;
	}
	return false;
}

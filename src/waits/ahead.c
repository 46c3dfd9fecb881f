/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the accesses of the instruction at ip and of those that run after it, in program order, up
 * to a call or an indirect jump. A sample contains the registers at ip, and the addresses of these
 * later accesses can be computed from them. */
#include "waits/search.h"

enum { MOST_STEPS = 256 };

static void add_access(struct body *b, uint32_t k, uint32_t ip, const struct operation *o,
		       const struct values *v, struct ahead *out)
{
	struct ahead_access *a = &out->at[out->n++];
	int64_t offset = offset_from(b, k, ip);

	*a = (struct ahead_access){ .insn = k,
				    .base = o->mem.base,
				    .index = o->mem.index,
				    .bytes = o->mem.bytes,
				    .load = o->mem.load,
				    .store = o->mem.store,
				    .lock = o->mem.lock };
	if (values_address(v, &o->mem, offset, &a->address))
		a->by = WAIT_BY_ADDRESS;
	else if (values_base(v, &o->mem, offset, &a->address))
		a->by = WAIT_BY_BASE;
}

static bool was_there(const struct ahead *a, uint32_t k)
{
	for (uint32_t i = 0; i < a->n; i++)
		if (a->at[i].insn == k)
			return true;
	return false;
}

/* Returns the position of the instruction that is assumed to run after k: backward branches are
 * taken, forward branches are not. Returns BODY_NOWHERE if that instruction is unknown, or if k
 * jumps, or may jump, out of the function. */
static int64_t next_of(const struct body *b, uint32_t k)
{
	const struct body_insn *i = &b->insns.at[k];
	bool on = i->flow == FLOW_ON || (i->flow == FLOW_BRANCH && i->target > (int64_t)k);

	if (on)
		return k + 1 < b->insns.n ? (int64_t)k + 1 : BODY_NOWHERE;
	return i->flow == FLOW_JUMP || i->flow == FLOW_BRANCH ? i->target : BODY_NOWHERE;
}

void ahead_find(struct body *b, uint32_t ip, struct ahead *out)
{
	struct values v;
	int64_t k = ip;

	out->n = 0;
	values_init(&v);
	for (int steps = 0; k != BODY_NOWHERE && steps < MOST_STEPS; steps++) {
		const struct operation o = *body_operation(b, (uint32_t)k);

		if (o.access && was_there(out, (uint32_t)k))
			/* the search has gone around a loop: it has already added this access and
			 * those that follow */
			break;
		if (o.access && out->n < WAIT_AHEAD)
			add_access(b, (uint32_t)k, ip, &o, &v, out);
		values_on(&v, &o);
		k = next_of(b, (uint32_t)k);
	}
}

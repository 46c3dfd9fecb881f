/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the code outside a loop that belongs to its iterations (struct loop_detour), and where a
 * loop can end. */
#include "waits/loop.h"

/* Where a jump out of a loop leads in the end: away from it, back into it, or to the end of the
 * function's code. */
enum leads { LEADS_AWAY, LEADS_BACK, LEADS_NOWHERE };

/* Do the instructions go on to the end of the function, without other bytes behind them? */
static bool is_complete(const struct body *b)
{
	const struct body_insn *last = &b->insns.at[b->insns.n - 1];

	return last->at + last->size == b->len;
}

/* Follows the code from instruction `to`, outside the loop *l, until an unconditional jump leads
 * back into the loop (LEADS_BACK; then sets *out), or the function has no more instructions
 * (LEADS_NOWHERE). If it can also lead elsewhere, the result is LEADS_AWAY; also if it leads to the
 * loop's first instruction, because then it may be the end of a loop around. */
static enum leads follow(const struct body *b, const struct loop *l, uint32_t to,
			 struct loop_detour *out)
{
	int64_t farthest = to, back = BODY_NOWHERE;
	uint32_t k = to;

	for (; k < b->insns.n && k - to < LOOP_DETOUR_LONGEST && k != l->first; k++) {
		const struct body_insn *i = &b->insns.at[k];
		const bool jumps = i->flow == FLOW_JUMP || i->flow == FLOW_BRANCH;

		if (i->flow == FLOW_INDIRECT || i->flow == FLOW_AWAY)
			return LEADS_AWAY;
		if (jumps && loop_has(l, i->target)) {
			if (i->target == (int64_t)l->first ||
			    (back != BODY_NOWHERE && back != i->target))
				return LEADS_AWAY;
			back = i->target;
			if (i->flow == FLOW_JUMP && farthest <= (int64_t)k) {
				*out = (struct loop_detour){ to, k, (uint32_t)back };
				return LEADS_BACK;
			}
		} else if (jumps && (i->flow == FLOW_JUMP || i->target >= 0)) {
			if (i->target < (int64_t)to ||
			    i->target > (int64_t)to + LOOP_DETOUR_LONGEST)
				return LEADS_AWAY;
			farthest = i->target > farthest ? i->target : farthest;
		}
	}
	return k == b->insns.n && back == BODY_NOWHERE && is_complete(b) ? LEADS_NOWHERE
									 : LEADS_AWAY;
}

bool loop_ends_at(const struct body *b, const struct loop *l, uint32_t k)
{
	const struct body_insn *i = &b->insns.at[k];
	struct loop_detour d;

	if (i->flow == FLOW_AWAY || (i->flow == FLOW_JUMP && i->target < 0))
		return true;
	if (!loop_has(l, i->target) && i->target >= 0 && !loop_detours(l, (uint32_t)i->target) &&
	    follow(b, l, (uint32_t)i->target, &d) != LEADS_NOWHERE)
		return true;
	return k == l->last && body_falls_through(i);
}

bool loop_detours(const struct loop *l, uint32_t k)
{
	for (unsigned i = 0; i < l->ndetours; i++)
		if (k >= l->detours[i].first && k <= l->detours[i].last)
			return true;
	return false;
}

void loop_add_detour(const struct body *b, struct loop *l, uint32_t k)
{
	const int64_t to = b->insns.at[k].target;
	const bool ends = body_falls_through(&b->insns.at[l->last]);
	uint32_t back;

	/* what comes before the loop or right after its end leads to the next run of it */
	if (to <= (int64_t)l->last + ends || loop_detours(l, (uint32_t)to) ||
	    l->ndetours == LOOP_DETOURS ||
	    follow(b, l, (uint32_t)to, &l->detours[l->ndetours]) != LEADS_BACK)
		return;
	back = l->detours[l->ndetours].back;
	if (back <= k)
		return; /* it tries again */
	l->ndetours++;
	for (uint32_t s = k + 1; s < back; s++)
		loop_set_bit(l->skipped, s - l->first);
	loop_set_bit(l->joins, back - l->first);
	l->branches = true;
}

static void add_writes(struct body *b, uint32_t first, uint32_t last, struct regset *all)
{
	for (uint32_t k = first; k <= last; k++) {
		const struct regset *w = &body_operation(b, k)->writes;

		all->regs |= w->regs;
		all->slots |= w->slots;
	}
}

struct regset detour_writes(struct body *b, const struct loop_detour *d)
{
	struct regset all = { 0 };

	add_writes(b, d->first, d->last, &all);
	return all;
}

struct regset loop_writes(struct body *b, const struct loop *l)
{
	struct regset all = { 0 };

	add_writes(b, l->first, l->last, &all);
	for (unsigned i = 0; i < l->ndetours; i++)
		add_writes(b, l->detours[i].first, l->detours[i].last, &all);
	return all;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* account_others(): what the samples may have waited for besides the candidates that they were
 * charged to. */
#include "waits/account.h"

#include "waits/around.h"
#include "waits/estimate.h"
#include "waits/pace.h"

/* Returns the sum of the periods of the samples that were charged to candidates in known objects
 * other than that of candidate k. */
static double given_to_others(const struct wait *w, const struct wait_choice *c,
			      const unsigned *index, unsigned n, unsigned k)
{
	double given = 0;

	for (unsigned i = 0; i < n; i++)
		if (c[i].object && c[i].object != c[k].object)
			given += w->given[index[i]];
	return given;
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

/* Returns the stream that access i of the place, a candidate or an access after ip, goes through;
 * NULL if it goes through none that is larger than the second cache level. */
static const struct operand *stream_at(const struct account *a, const struct spot *p, unsigned i)
{
	const struct operand *o = p->operands[i] ? &AT_ID(a->operands, p->operands[i]) : NULL;

	return o && o->known && reach_is_stream(&o->access, &a->caches) ? o : NULL;
}

static bool stores_at(const struct wait_plan *plan, unsigned i)
{
	return i < plan->n ? plan->candidates[i].store : plan->accesses[i - plan->n].store;
}

/* Returns which part of the time the transfer of the streams through this object takes at most;
 * `all` is the number of the place's accesses. */
static double transfer_part(const struct account *a, const struct spot *p, unsigned all,
			    uint32_t object)
{
	struct reach_access fastest = { 0 };
	bool stores = false;

	for (unsigned i = 0; i < all; i++) {
		const struct operand *o = stream_at(a, p, i);

		if (!o || operand_object(o) != object)
			continue;
		stores = stores || stores_at(p->plan, i);
		if (o->access.rate > fastest.rate)
			fastest = o->access;
	}
	return pace_transfer(&fastest, stores, &a->caches);
}

static bool is_listed(const uint32_t *objects, unsigned n, uint32_t object)
{
	for (unsigned i = 0; i < n; i++)
		if (objects[i] == object)
			return true;
	return false;
}

/* While a thread waits for a miss, the streams of its code are transferred, too, and take a part of
 * the bandwidth. Without them, the miss may be served earlier, although no sample waits for them.
 * Calls fn for each stream's object that is not possible in c[0..n), the choices of the wait. */
static void add_streams(const struct account *a, const struct wait *w, const struct wait_choice *c,
			unsigned n, account_others_fn *fn, void *arg)
{
	const struct spot *p = &AT_ID(a->places, w->place);
	const unsigned all = p->plan->n + p->plan->ahead;
	uint32_t objects[ACCOUNT_MOST + AROUND_MOST]; /* those that count already */
	unsigned listed = 0;

	for (unsigned i = 0; i < n; i++)
		if (c[i].possible)
			objects[listed++] = c[i].object;
	for (unsigned i = 0; i < all; i++) {
		const struct operand *o = stream_at(a, p, i);
		const uint32_t object = o ? operand_object(o) : 0;
		double part;

		if (!object || is_listed(objects, listed, object))
			continue;
		objects[listed++] = object;
		part = transfer_part(a, p, all, object);
		if (part > 0)
			fn(arg, object, part * w->period, 0);
	}
}

void account_others(struct account *a, account_others_fn *fn, void *arg)
{
	struct wait_choice c[ACCOUNT_MOST];
	unsigned index[ACCOUNT_MOST];
	enum wait_level level;

	for (uint32_t i = 0; i < a->waits.n; i++) {
		const struct wait *w = &a->waits.at[i];
		unsigned n = estimate_shares(a, w, c, index, &level);
		const double charged = charged_part(w);

		for (unsigned k = 0; k < n; k++) {
			double given =
				c[k].possible && c[k].object ? given_to(w, c, index, n, k) : -1;

			if (given >= 0 && charged * given < w->period)
				fn(arg, c[k].object, w->period - charged * given,
				   charged * given_to_others(w, c, index, n, k));
		}
		if (w->level != WAIT_HITS)
			add_streams(a, w, c, n, fn, arg);
	}
}

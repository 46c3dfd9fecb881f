/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "waits/share.h"

#include "base/count.h"

#include <math.h>

enum {
	MISSES = 16, /* number of first-level cache misses that a core may have in flight */
	/* cycles; a wait that takes less than this is short. Candidates with a short wait are
	 * ignored in the case that the thread waits only for streams (share.h), and a store with a
	 * short wait does not count as a miss */
	QUICK = 2,
	/* cycles; shorter waits, such as those for the second cache level, end while the thread
	 * executes other instructions of its loop */
	HIDDEN = 20,
};

/* Cycles; an access that is expected to wait less than this is assumed to hit the first cache
 * level. */
#define FIRST_LEVEL 1.2

/* The candidates on one way, a sequence of instructions that leads to ip. */
struct way {
	struct wait_choice *at;
	unsigned n;
	bool overlaps; /* whether misses of the loop overlap with the wait */
	/* of the possible candidates that are loads and yield their own next address, without being
	 * prefetched, the one with the shortest loop; NULL means that there is none */
	const struct wait_choice *loop;
};

static bool is_dependent(const struct wait_choice *c)
{
	return c->how == WAIT_OWN || c->how == WAIT_FLOW || (c->how == WAIT_CARRIED && c->loop);
}

static bool is_near(const struct wait_choice *c)
{
	return c->how <= WAIT_WINDOW;
}

static bool not_window(const struct wait_choice *c)
{
	return c->how < WAIT_WINDOW;
}

static bool is_loaded(const struct way *w, uint32_t object)
{
	for (unsigned i = 0; i < w->n; i++)
		if (!w->at[i].only_stores && w->at[i].object == object)
			return true;
	return false;
}

static bool is_missing_store(const struct way *w, const struct wait_choice *c)
{
	return c->only_stores && !c->stream && c->wait >= QUICK && !c->loaded && c->object &&
	       !is_loaded(w, c->object);
}

static bool is_long_miss(const struct wait_choice *c)
{
	return !c->stream && c->wait >= HIDDEN;
}

/* Is it a load that yields its own next address, so that each iteration waits for it? If its
 * addresses are in order, the hardware prefetches them: then it takes as long as a hit, and other
 * misses of the loop are not hidden behind it. */
static bool holds_up(const struct wait_choice *c)
{
	return c->loop && !c->stream;
}

/* Is it a load before the loop that misses, and gives the loop's first iteration a value? Then the
 * first iteration starts late. */
static bool is_missing_entry(const struct wait_choice *c)
{
	return c->how == WAIT_ENTRY && is_long_miss(c);
}

/* Do the candidates found so far contain a scattered load of the loop that misses? Then other
 * misses of the loop are in flight while the thread waits for it. A load that seldom misses has a
 * short wait on average, but a sample there is from a miss. */
static bool waits_scattered(const struct way *w)
{
	for (unsigned i = 0; i < w->n; i++)
		if (w->at[i].possible && w->at[i].inside && !w->at[i].stream &&
		    fmax(w->at[i].wait, w->at[i].miss) >= HIDDEN)
			return true;
	return false;
}

static bool has_object(const struct way *w, uint32_t object)
{
	for (unsigned i = 0; object && i < w->n; i++)
		if (w->at[i].possible && w->at[i].object == object)
			return true;
	return false;
}

/* Sets `possible` for those misses of the loop that overlap with the wait (`beside`), but only once
 * for each object. */
static void add_overlapping(struct way *w)
{
	for (unsigned i = 0; i < w->n; i++)
		if (w->at[i].beside && is_long_miss(&w->at[i]) && !has_object(w, w->at[i].object))
			w->at[i].possible = true;
}

/* Sets `possible` for the candidates that the sample may have waited for. The candidates form
 * groups, one for each case in share.h. The candidates of the first group that is not empty
 * are possible, and so are scattered stores. If these possible candidates include a scattered load
 * of the loop, but no recurrent one, then the misses that overlap with that load are possible,
 * too. */
static void choose_way(struct way *w)
{
	static bool (*const groups[])(const struct wait_choice *) = { is_dependent, not_window,
								      is_near };
	unsigned found = 0;

	for (unsigned g = 0; g < COUNT_OF(groups) && !found; g++)
		for (unsigned i = 0; i < w->n; i++)
			found += w->at[i].possible = groups[g](&w->at[i]);
	for (unsigned i = 0; i < w->n; i++)
		w->at[i].possible |= !w->at[i].optional && is_missing_store(w, &w->at[i]);
	w->loop = NULL;
	for (unsigned i = 0; i < w->n; i++)
		if (w->at[i].possible && holds_up(&w->at[i]) &&
		    (!w->loop || w->at[i].loop < w->loop->loop))
			w->loop = &w->at[i];
	w->overlaps = !w->loop && waits_scattered(w);
	if (w->overlaps)
		add_overlapping(w);
}

/* Does the operand of the instruction before ip miss? */
static bool own_misses(const struct way *w)
{
	for (unsigned i = 0; i < w->n; i++)
		if (w->at[i].how == WAIT_OWN && w->at[i].known && is_long_miss(&w->at[i]))
			return true;
	return false;
}

/* Returns the number of possible candidates with the object of *c whose misses overlap: they share
 * its cache lines. */
static unsigned sharers_of(const struct way *w, const struct wait_choice *c)
{
	unsigned n = 0;

	for (unsigned i = 0; i < w->n; i++)
		n += &w->at[i] == c ||
		     (c->object && w->at[i].object == c->object && w->at[i].possible &&
		      w->at[i].beside && is_long_miss(&w->at[i]));
	return n;
}

static double choice_weight(const struct way *w, const struct wait_choice *c)
{
	double under_way;

	if (c->how == WAIT_FLOW && !c->loop && c->distance >= WAIT_TOGETHER && own_misses(w))
		return 0;
	if (w->overlaps && c->beside && is_long_miss(c))
		return c->wait * fmax(1, (double)c->lines / sharers_of(w, c));
	if (c->loop || !w->loop || c->insn < w->loop->loop_start || c->insn > w->loop->loop_end)
		return c->wait;
	under_way = (double)WAIT_REORDER / w->loop->loop;
	return c->wait / (under_way < 1 ? 1 : under_way > MISSES ? MISSES : under_way);
}

/* Is it a stream among the instructions just before ip, or one that certainly runs in each
 * iteration of the loop? */
static bool is_near_stream(const struct wait_choice *c)
{
	const bool always = c->beside || (c->only_stores && !c->optional);

	return c->stream && (is_near(c) || (c->transfer > 0 && always));
}

/* Is it known for all streams how long their bytes take? */
static bool know_transfers(const struct way *w)
{
	for (unsigned i = 0; i < w->n; i++)
		if (is_near_stream(&w->at[i]) && w->at[i].transfer <= 0)
			return false;
	return true;
}

/* Is it a load of the loop whose wait is so short that the CPU executes other instructions
 * meanwhile, as for the second cache level? Not if each iteration waits for it. */
static bool is_hidden(const struct wait_choice *c)
{
	return c->inside && c->known && !c->stream && !c->loop && c->wait < HIDDEN &&
	       c->transfer > 0;
}

static bool are_streams(const struct way *w)
{
	const bool known = know_transfers(w);
	bool streams = false;

	for (unsigned i = 0; i < w->n; i++) {
		streams = streams || is_near_stream(&w->at[i]);
		if (w->at[i].possible && !w->at[i].stream && w->at[i].wait >= QUICK &&
		    !(known && is_hidden(&w->at[i])))
			return false;
	}
	return streams;
}

static bool is_first_of_object(const struct way *w, unsigned k)
{
	for (unsigned i = 0; i < k; i++)
		if (is_near_stream(&w->at[i]) && w->at[i].object == w->at[k].object)
			return false;
	return true;
}

/* Is a possible candidate expected to miss the first cache level? */
static bool may_miss(const struct way *w)
{
	for (unsigned i = 0; i < w->n; i++)
		if (w->at[i].possible && w->at[i].wait >= FIRST_LEVEL)
			return true;
	return false;
}

/* Is it a possible candidate whose wait overlaps with the streams? */
static bool is_hidden_miss(const struct wait_choice *c)
{
	return c->possible && c->wait >= QUICK && is_hidden(c);
}

/* Sets the weights if the thread waits only for streams, and for loads that overlap with them. */
static void set_transfers(struct way *w)
{
	const bool known = know_transfers(w);
	double streams = 0, hidden = 0;

	for (unsigned i = 0; i < w->n; i++) {
		struct wait_choice *c = &w->at[i];

		c->share =
			is_near_stream(c) ? is_first_of_object(w, i) : known && is_hidden_miss(c);
		c->share *= known ? c->transfer : 1;
		*(c->stream ? &streams : &hidden) += c->share;
		c->possible = c->possible || is_near_stream(c);
	}
	for (unsigned i = 0; i < w->n; i++)
		w->at[i].share *= w->at[i].stream ? streams : hidden;
}

/* Sets the member `share` of each candidate to a weight: how much of the wait it probably causes,
 * compared with the other candidates. The caller then scales the weights. */
static void set_weights(struct way *w)
{
	const double least = may_miss(w) ? FIRST_LEVEL : 0;

	if (are_streams(w)) {
		set_transfers(w);
		return;
	}
	for (unsigned i = 0; i < w->n; i++)
		w->at[i].share = w->at[i].possible && w->at[i].wait >= least
					 ? choice_weight(w, &w->at[i])
					 : 0;
}

/* Sets the weights of the way's candidates. Returns the level of the slowest of them. */
static enum wait_level weigh_way(struct way *w)
{
	bool misses = false, streams;

	choose_way(w);
	streams = are_streams(w);
	set_weights(w);
	for (unsigned i = 0; i < w->n; i++)
		misses = misses || (w->at[i].share > 0 && w->at[i].wait >= FIRST_LEVEL);
	return !misses ? WAIT_HITS : streams ? WAIT_STREAMS : WAIT_MISSES;
}

/* Returns for how many cycles the thread is expected to wait on this way: as long as the slowest of
 * the candidates that have a share, and at least QUICK. A candidate of which nothing is known does
 * not count: perhaps no sample has seen it because this way seldom runs. */
static double way_cycles(const struct way *w)
{
	double cycles = QUICK;

	for (unsigned i = 0; i < w->n; i++)
		if (w->at[i].share > 0 && w->at[i].known)
			cycles = fmax(cycles, w->at[i].wait);
	return cycles;
}

/* Scales the weights of the way's candidates to shares that add up to `part`. */
static void scale_weights(struct way *w, double part)
{
	double sum = 0;

	for (unsigned i = 0; i < w->n; i++)
		sum += w->at[i].share;
	for (unsigned i = 0; i < w->n; i++) {
		w->at[i].share = sum > 0 ? w->at[i].share * part / sum : 0;
		w->at[i].possible |= is_missing_store(w, &w->at[i]) || is_missing_entry(&w->at[i]);
	}
}

/* Finds the next way in c[*first..n), and moves *first past it. Returns false at the
 * end. */
static bool next_way(struct wait_choice *c, unsigned n, unsigned *first, struct way *out)
{
	*out = (struct way){ .at = &c[*first] };
	while (*first < n && c[*first].way == out->at->way) {
		out->n++;
		++*first;
	}
	return out->n;
}

enum wait_level wait_share(struct wait_choice *c, unsigned n)
{
	enum wait_level slowest = WAIT_HITS;
	double sum = 0;
	struct way w;

	for (unsigned first = 0; next_way(c, n, &first, &w);) {
		enum wait_level level = weigh_way(&w);

		slowest = level > slowest ? level : slowest;
		sum += way_cycles(&w);
	}
	for (unsigned first = 0; next_way(c, n, &first, &w);)
		scale_weights(&w, way_cycles(&w) / sum);
	return slowest;
}

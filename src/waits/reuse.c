/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "waits/reuse.h"

#include <math.h>

enum {
	WORD = 8,
	PAGE = 4096,
	TRANSLATIONS =
		1024, /* pages whose addresses any CPU of the last ten years keeps translated */
};

/* How often a loop runs if it is unknown: at least, and many times. Some loops seldom run a second
 * time: they try again until something succeeds. */
#define FEWEST_RUNS 1.0
#define MANY_RUNS   64.0

/* The memory that an access touches in one run of a loop: `pieces` pieces of `run` adjacent bytes.
 * `crowd` of them begin at the same offset of a page, because their distance is a power of two. */
struct touched {
	double pieces, run, crowd;
};

static double lines_of(const struct touched *t)
{
	/* a piece begins anywhere in a line */
	return t->pieces * ((t->run - 1) / CACHE_LINE + 1);
}

static bool is_known(int32_t step)
{
	return step != WAIT_NO_STEP && step != WAIT_SOME_STEP;
}

/* Returns the largest power of two that divides the step, at most the size of a page. */
static double power_in(int32_t step)
{
	const uint32_t lowest = (uint32_t)step & -(uint32_t)step;

	return lowest < PAGE ? lowest : PAGE;
}

/* Changes *t from what an iteration of a loop touches to what the `runs` iterations of one run of
 * it touch, each `step` bytes from the one before. */
static void repeat(struct touched *t, int32_t step, double runs)
{
	if (!step)
		return;
	if (is_known(step) && fabs((double)step) <= fmax(t->run, CACHE_LINE)) {
		t->run += fabs((double)step) * (runs - 1);
		return;
	}
	t->pieces *= runs;
	if (is_known(step))
		t->crowd *= fmax(1, runs * power_in(step) / PAGE);
}

/* What one access touches in an iteration of each loop; the last element is for a run of the
 * outermost one. */
struct levels {
	struct touched before[NEST_LOOPS + 1];
};

/* A loop whose number of iterations is unknown counts as one that runs once. */
static struct levels levels_of(const struct nest_access *a, const double *runs, unsigned n)
{
	struct touched t = { 1, a->bytes ? a->bytes : WORD, 1 };
	struct levels all = { .before = { t } };

	for (unsigned l = 0; l < n; l++) {
		if (l >= a->loop && runs[l] > 0)
			repeat(&t, a->steps[l], runs[l]);
		all.before[l + 1] = t;
	}
	return all;
}

/* Returns the number of lines that access *a fetches anew when loop l goes on to its next
 * iteration, if an iteration touches *t. */
static double new_lines(const struct touched *t, int32_t step)
{
	const double each = fabs((double)step);

	if (is_known(step) && each <= fmax(t->run, CACHE_LINE))
		return t->pieces * each / CACHE_LINE;
	return lines_of(t);
}

/* Returns the innermost loop that takes access *a to new lines, if the lines of a run of the loops
 * below `first` stay in the cache; n if there is none among the n loops. */
static unsigned loop_to_new(const struct nest_access *a, unsigned n, unsigned first)
{
	unsigned l = a->loop;

	while (l < n && (l < first || !a->steps[l]))
		l++;
	return l;
}

/* Returns how many lines access *a fetches each time it runs if loop l of n takes it to new ones; 1
 * if it does not use them again. `unknown` is the number of iterations of a loop for which it is
 * unknown. */
static double fetched_by(const struct nest_access *a, const struct levels *t, const double *runs,
			 unsigned n, unsigned l, double unknown)
{
	double times = 1, lines;
	bool again = false;

	for (unsigned i = a->loop; i < l; i++) {
		const double each = runs[i] > 0 ? runs[i] : unknown;

		times *= each;
		again = again || (!a->steps[i] && each != 1);
	}
	/* of loops further out, nothing is known */
	lines = l < n ? new_lines(&t->before[l], a->steps[l]) : lines_of(&t->before[n]);
	again = again || (l && lines < lines_of(&t->before[l]) / 2);
	return again ? fmin(lines / times, 1) : 1;
}

/* Sets what access *a fetches from beyond a cache level. If a loop takes it to an unknown place,
 * its lines there may still be in the second or third level. */
static void set_fetched(const struct nest_access *a, const struct levels *t, const double *runs,
			unsigned n, unsigned first, int level, struct reach_fetched *out)
{
	const unsigned l = loop_to_new(a, n, first);
	const double most = fetched_by(a, t, runs, n, l, FEWEST_RUNS);
	const bool jumps = l < n && !is_known(a->steps[l]);

	out->most[level] = (float)most;
	out->least[level] =
		(float)(level && most < 1 && jumps ? 0 : fetched_by(a, t, runs, n, l, MANY_RUNS));
}

/* Returns how many pages the pieces of *t are on. */
static double pages_of(const struct touched *t)
{
	return t->pieces * (t->run / PAGE + 1);
}

/* What a cache has room for. */
struct room {
	double lines, pages;
	double crowd; /* number of lines at the same offset of a page */
};

/* The first level finds a line by its offset in a page, so it has as many lines of one offset as it
 * has room for pages. The second level uses physical addresses, which scatter. But lines on more
 * pages than the CPU has translations for are found late in either. */
static struct room room_of(const struct wait_caches *c, int level)
{
	return (struct room){ .lines = (double)c->level[level].bytes / CACHE_LINE,
			      .pages = level < CACHE_LEVELS - 1 ? TRANSLATIONS : INFINITY,
			      .crowd = level ? INFINITY : (double)c->level[0].bytes / PAGE };
}

/* Returns how many of the loops, from the innermost one on, touch so little in one run that all of
 * it stays in a cache. */
static unsigned loops_inside(const struct nest *n, const struct levels *t, const double *runs,
			     const double *most, struct room room)
{
	for (unsigned l = 0; l < n->n; l++) {
		double lines = 0, pages = 0, crowd = 1;

		for (unsigned i = 0; i < n->naccesses; i++) {
			const struct touched *x = &t[i].before[l + 1];

			if (n->accesses[i].again || n->accesses[i].loop > l)
				continue;
			lines += fmin(lines_of(x), most[i] / CACHE_LINE + 1);
			pages += fmin(pages_of(x), most[i] / PAGE + 1);
			crowd = fmax(crowd, x->crowd);
		}
		if (runs[l] <= 0 || lines > room.lines || pages > room.pages || crowd > room.crowd)
			return l;
	}
	return n->n;
}

/* Returns how often access *a goes on at a place that depends on data, each time it runs. */
static double jumps_of(const struct nest_access *a, const double *runs, unsigned n)
{
	double times = 1;
	unsigned l = a->loop;

	for (; l < n && a->steps[l] != WAIT_NO_STEP; l++)
		times *= runs[l];
	return l > a->loop && l < n && times > 0 ? 1 / times : 0;
}

/* If nothing is known of the innermost loop, no access is known to come back. */
static void set_unknown(const struct nest *n, struct reuse *out)
{
	for (unsigned i = 0; i < n->naccesses; i++)
		for (int level = 0; level < CACHE_LEVELS; level++)
			out->fetched[i].most[level] = out->fetched[i].least[level] = 1;
}

void reuse_find(const struct nest *n, const double runs[NEST_LOOPS], const double *most,
		const struct wait_caches *c, struct reuse *out)
{
	struct levels t[NEST_ACCESSES];
	double sure[NEST_LOOPS]; /* runs[] of the loops that do not end early */

	out->known = runs[0] > 0;
	if (!out->known)
		return;
	for (unsigned l = 0; l < n->n; l++)
		sure[l] = n->loops[l].early ? 0 : runs[l];
	for (unsigned i = 0; i < n->naccesses; i++) {
		t[i] = levels_of(&n->accesses[i], sure, n->n);
		out->jumps[i] = (float)jumps_of(&n->accesses[i], runs, n->n);
	}
	set_unknown(n, out);
	for (int level = 0; level < CACHE_LEVELS && sure[0] > 0; level++) {
		const unsigned inside = loops_inside(n, t, sure, most, room_of(c, level));

		for (unsigned i = 0; i < n->naccesses; i++)
			set_fetched(&n->accesses[i], &t[i], sure, n->n, inside, level,
				    &out->fetched[i]);
	}
}

/* Returns the index of the access in the nest; NEST_ACCESSES if there is none, or nothing is known.
 */
static unsigned find_access(const struct reuse *r, const struct nest *n, uint32_t insn)
{
	for (unsigned i = 0; r && r->known && i < n->naccesses; i++)
		if (n->accesses[i].insn == insn)
			return i;
	return NEST_ACCESSES;
}

const struct reach_fetched *reuse_of(const struct reuse *r, const struct nest *n, uint32_t insn,
				     bool *again)
{
	const unsigned i = find_access(r, n, insn);

	if (i == NEST_ACCESSES)
		return NULL;
	if (again)
		*again = n->accesses[i].again;
	return r->fetched[i].least[0] < 1 || r->fetched[i].least[1] < 1 ? &r->fetched[i] : NULL;
}

double reuse_jumps(const struct reuse *r, const struct nest *n, uint32_t insn)
{
	const unsigned i = find_access(r, n, insn);

	return i < NEST_ACCESSES ? (double)r->jumps[i] : 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "waits/pace.h"

#include <math.h>

enum {
	/* minimum number of elements in a column of a matrix; below it, large steps are assumed to
	 * come from random numbers, not from a walk along columns */
	SHORTEST_COLUMN = 16,
	FILLS = 12, /* number of lines for which the first-level cache may wait at a time */
};

/* Bytes of memory whose addresses a CPU keeps translated, in pages of 4 KiB; and cycles that the
 * translation of another one takes at least. */
#define TRANSLATED (4.0 * (1 << 20))
#define WALK       30.0

/* Cycles per ns of a usual CPU. */
#define USUAL_CLOCK 3.2

/* The speed of memory, on a slow machine or on a usual one. Arrays are indexed by cache level; the
 * last element is for memory. */
struct memory {
	double bytes[CACHE_LEVELS + 1]; /* bytes per cycle that a stream gets */
	/* cycles from one miss to the next if many misses overlap, including the translation of
	 * addresses */
	double miss[CACHE_LEVELS + 1];
	/* for a stream whose sampled addresses are not in order: number of cache lines that it
	 * loads for each line by which it advances. This may be more than 1, because such a stream
	 * often starts again, perhaps in the middle of a line */
	double starts;
	/* whether accesses are assumed to be fast if their step is not known, or if their sampled
	 * addresses do not agree with it */
	bool hopeful;
};

static const struct memory slow = { { 64, 16, 8, 2 }, { 0, 4, 20, 50 }, 2, false };
static const struct memory usual = { { 64, 32, 16, 6 }, { 0, 2, 6, 30 }, 1, true };

static bool is_step(int32_t step)
{
	return step != WAIT_NO_STEP && step != WAIT_SOME_STEP;
}

static bool has_step(const struct pace_access *a)
{
	return is_step(a->step);
}

/* Does the access walk along columns of a matrix? The steps of such an access are equal, but too
 * large to be prefetched. If the step is known, the footprint must also be at least SHORTEST_COLUMN
 * steps. */
static bool is_column(const struct pace_access *a)
{
	if (a->access.in_order || !wait_is_walk(a->step))
		return false;
	return a->step == WAIT_SOME_STEP ||
	       fabs((double)a->step) * SHORTEST_COLUMN <= a->access.footprint;
}

/* Does the access go through memory in steps that the hardware prefetches? The step in the code may
 * be small although the sampled addresses are not in order. Then the program passes through the
 * array many times between two samples, or often starts in another place. In an array that fits
 * into the second cache level, both cost little. In a larger one, each start may miss; if
 * m->hopeful, the loop is assumed to run so long that it starts seldom. */
static bool is_stream(const struct pace_access *a, const struct wait_caches *c,
		      const struct memory *m)
{
	if (!has_step(a))
		return a->access.in_order;
	if (!a->step && a->access.footprint > (double)c->level[0].bytes)
		return false; /* the addresses in samples contradict the step in the code */
	return !wait_is_walk(a->step) && (m->hopeful || a->access.in_order ||
					  a->access.footprint <= (double)c->level[1].bytes);
}

/* Returns how many bytes of cache lines an access touches in this number of iterations. */
static double touched_in(const struct pace_access *a, double iterations)
{
	const double each = has_step(a) ? fmin(fabs((double)a->step), CACHE_LINE) : CACHE_LINE;

	return fmin(a->access.footprint, CACHE_LINE + each * iterations);
}

void pace_parts(struct pace_access *a, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		a[i].part = i + 1;
		/* Compared only with the first access of each part: those of the others may overlap
		 * with two parts. */
		for (unsigned k = 0; k < i && a[i].part == i + 1; k++)
			if (a[k].part == k + 1 && a[k].object && a[k].object == a[i].object &&
			    reach_same_part(&a[k].access, &a[i].access))
				a[i].part = k + 1;
	}
}

static bool same_part(const struct pace_access *a, const struct pace_access *b)
{
	return a->part && a->part == b->part;
}

/* Returns the lowest cache level in which the lines of access a[i] still are when it comes back to
 * them, because it has room for everything that the loop touches until then; CACHE_LEVELS means
 * memory. */
static int level_of(const struct pace_access *a, unsigned n, unsigned i,
		    const struct wait_caches *c)
{
	const bool passes = has_step(&a[i]) && a[i].step;
	const double pass = passes ? a[i].access.footprint / fabs((double)a[i].step) : INFINITY;
	double bytes = 0;
	int level = 0;

	for (unsigned j = 0; j < n; j++) {
		double largest = touched_in(&a[j], pass);

		for (unsigned k = 0; k < n && largest > 0; k++) {
			bool same = j != k && same_part(&a[j], &a[k]);

			if (same && k < j)
				/* 0, because it was counted with the first access to the part */
				largest = 0;
			else if (same)
				largest = fmax(largest, touched_in(&a[k], pass));
		}
		bytes += largest;
	}
	while (level < CACHE_LEVELS && bytes > (double)c->level[level].bytes)
		level++;
	return level;
}

/* The streams (accesses that the hardware prefetches) through one part of an object, combined. */
struct stream {
	/* number of bytes by which they advance in an iteration. If all of them only store, the
	 * bytes count twice, because each line is read and written back */
	double bytes;
	double rate;   /* bytes per ns, if `bytes` is not known from the code; 0 means unknown */
	bool in_order; /* whether the sampled addresses of one of them are in order */
};

/* Returns the number of bytes by which a stream advances in an iteration. An unknown step is
 * assumed to be the size of the access if m->hopeful, the size is known and the access is not
 * recurrent; otherwise the size of a cache line. */
static double advance_of(const struct pace_access *a, const struct memory *m)
{
	if (has_step(a))
		return fabs((double)a->step);
	return m->hopeful && a->access.bytes && !a->recurrent ? a->access.bytes : CACHE_LINE;
}

/* Does the access come back to its lines? If this is not certain, it is assumed if m->hopeful. */
static bool comes_back(const struct pace_access *a, const struct memory *m)
{
	return a->access.fetched && (m->hopeful || reach_comes_back(a->access.fetched));
}

/* Is access a[k] the access a[i], or another stream through the same part of its object? */
static bool goes_with(const struct pace_access *a, unsigned i, unsigned k,
		      const struct wait_caches *c, const struct memory *m)
{
	return k == i ||
	       (is_stream(&a[k], c, m) && !comes_back(&a[k], m) && same_part(&a[i], &a[k]));
}

/* Combines the streams through the part of its object that a[i] goes through. Returns { 0 } if an
 * access before a[i] is one of them: the call for that access has returned the combined stream. */
static struct stream stream_of(const struct pace_access *a, unsigned n, unsigned i,
			       const struct wait_caches *c, const struct memory *m)
{
	struct stream s = { 0 };
	double lines = 0, sum = 0;
	bool stores = true, known = true;

	for (unsigned k = 0; k < n; k++) {
		if (!goes_with(a, i, k, c, m))
			continue;
		if (k < i)
			return (struct stream){ 0 };
		lines += CACHE_LINE;
		stores = stores && a[k].stores;
		s.in_order = s.in_order || a[k].access.in_order;
		known = known && has_step(&a[k]);
		s.bytes = fmax(s.bytes, advance_of(&a[k], m));
		sum += advance_of(&a[k], m);
		s.rate = fmax(s.rate, a[k].access.rate);
	}
	s.bytes = known ? fmin(s.bytes, lines) : sum;
	s.rate = known ? 0 : s.rate * (stores ? 2 : 1);
	/* A line that is stored to is read first and written back later. */
	s.bytes *= stores ? 2 : 1;
	return s;
}

/* Returns by which factor the latency of a cache level in *c is above the usual one. */
static double slowness(int level, const struct wait_caches *c)
{
	return level < CACHE_LEVELS
		       ? c->level[level].cycles / wait_caches_default.level[level].cycles
		       : 1;
}

/* Returns how many cycles pass from one hit in this cache level to the next, if many hits overlap:
 * at most as many as in memory. */
static double level_miss(int level, const struct wait_caches *c, const struct memory *m)
{
	return fmin(m->miss[level] * slowness(level, c), m->miss[CACHE_LEVELS]);
}

/* Returns how many cycles one access is expected to take if the hardware does not prefetch it.
 * `alone` means that its miss does not overlap with others. Then it takes the full latency in *c,
 * otherwise the time in *m for overlapping misses. */
static double miss_cycles(const struct pace_access *a, bool alone, const struct wait_caches *c,
			  const double *reach, const struct memory *m)
{
	struct reach_access scattered = a->access;
	struct wait_caches together = { .memory = m->miss[CACHE_LEVELS] };

	for (int i = 0; i < CACHE_LEVELS; i++)
		together.level[i].cycles = level_miss(i, c, m);
	scattered.in_order = false;
	if (a->access.elements > 1) /* they overlap with each other */
		return a->access.elements * reach_wait(&scattered, reach, &together);
	return reach_wait(&scattered, reach, alone ? c : &together);
}

/* Returns how many cycles an access to a column of a matrix takes. Each cache line contains
 * elements of several columns. If m->hopeful, only the accesses to the first of these columns fetch
 * the line; for the others, it is in the cache level that has room for the lines of one column. */
static double column_cycles(const struct pace_access *a, const struct wait_caches *c,
			    const double *reach, const struct memory *m)
{
	double misses = miss_cycles(a, false, c, reach, m);
	double first = m->hopeful ? fmin(1, (double)a->access.bytes / CACHE_LINE) : 1;
	double lines = has_step(a) ? a->access.footprint / fabs((double)a->step) : 0;
	int level = 1;

	while (level < CACHE_LEVELS && lines * CACHE_LINE > (double)c->level[level].bytes)
		level++;
	return first * misses + (1 - first) * fmin(misses, level_miss(level, c, m));
}

/* Returns how many cycles a stream takes in an iteration. If its step is unknown but its rate is
 * known, it loads the bytes that this rate yields in `arithmetic` cycles, the time of the
 * iteration's arithmetic. It loads them at the bandwidth of cache level `level` if m->hopeful, else
 * with a full latency for each line. */
static double stream_cycles(const struct stream *s, int level, double arithmetic,
			    const struct wait_caches *c, const struct memory *m)
{
	if (s->rate <= 0)
		return s->bytes / m->bytes[level];
	return arithmetic * s->rate / PACE_CLOCK *
	       (m->hopeful ? 1 / m->bytes[level] : c->memory / CACHE_LINE);
}

/* Returns how many cycles access a[i] takes if it is no stream. */
static double other_cycles(const struct wait_loop *l, const struct pace_access *a, unsigned n,
			   unsigned i, const struct wait_caches *c, const double *reach,
			   const struct memory *m)
{
	if (is_column(&a[i]))
		return column_cycles(&a[i], c, reach, m);
	if (a[i].access.unseen && a[i].recurrent && m->hopeful)
		return a[i].access.bytes / m->bytes[level_of(a, n, i, c)];
	return miss_cycles(&a[i], a[i].recurrent || l->branches, c, reach, m);
}

/* Returns how many cycles access a[i] takes, which comes back to its lines: at most those in which
 * it fetches new ones. */
static double fetch_cycles(const struct wait_loop *l, const struct pace_access *a, unsigned n,
			   unsigned i, const struct wait_caches *c, const double *reach,
			   const struct memory *m)
{
	struct wait_caches together = { .memory = m->miss[CACHE_LEVELS] };
	double cycles;

	if (a[i].again)
		return 0;
	for (int level = 0; level < CACHE_LEVELS; level++)
		together.level[level].cycles = level_miss(level, c, m);
	cycles = is_stream(&a[i], c, m) ? advance_of(&a[i], m) / m->bytes[level_of(a, n, i, c)]
					: other_cycles(l, a, n, i, c, reach, m);
	return fmin(cycles, reach_fetches(&a[i].access,
					  m->hopeful ? a[i].access.fetched->least
						     : a[i].access.fetched->most,
					  reach, a[i].recurrent || l->branches ? c : &together));
}

/* Returns how many cycles per iteration the starts of stream *a take, if the loops around the
 * innermost one take it to places that depend on data: each is a miss, and so many overlap as are
 * within reach of the reorder buffer. */
static double start_cycles(const struct wait_loop *l, const struct pace_access *a,
			   const struct wait_caches *c, const double *reach, const struct memory *m)
{
	const double together = fmax(1, WAIT_REORDER * a->jumps / l->n);
	const double walk = a->access.footprint > TRANSLATED ? WALK : 0;

	return fmax((walk + miss_cycles(a, true, c, reach, m)) / together,
		    miss_cycles(a, false, c, reach, m)) *
	       a->jumps;
}

/* Returns how many cycles all memory accesses of an iteration take. */
static double memory_cycles(const struct wait_loop *l, const struct pace_access *a, unsigned n,
			    const struct wait_caches *c, const double *reach,
			    const struct memory *m)
{
	const double arithmetic = (double)(m->hopeful ? l->likely : l->least);
	double cycles = 0;

	for (unsigned i = 0; i < n; i++) {
		struct stream s;

		if (comes_back(&a[i], m)) {
			cycles += fetch_cycles(l, a, n, i, c, reach, m);
			continue;
		}
		if (is_column(&a[i]) || !is_stream(&a[i], c, m) ||
		    (a[i].access.unseen && a[i].recurrent && m->hopeful)) {
			cycles += other_cycles(l, a, n, i, c, reach, m);
			continue;
		}
		s = stream_of(a, n, i, c, m);
		if (s.bytes > 0 && !s.in_order)
			cycles += start_cycles(l, &a[i], c, reach, m);
		cycles += s.in_order ? stream_cycles(&s, level_of(a, n, i, c), arithmetic, c, m)
				     : s.bytes / CACHE_LINE * m->starts *
					       miss_cycles(&a[i], false, c, reach, m);
	}
	return cycles;
}

double pace_measured(int32_t step, double rate)
{
	return rate > 0 && is_step(step) ? fabs((double)step) / rate * PACE_CLOCK : 0;
}

double pace_fastest(const struct wait_loop *l, int32_t step)
{
	return l->n && l->least > 0 && is_step(step)
		       ? fabs((double)step) / (double)l->least * PACE_CLOCK
		       : 0;
}

/* Returns how many cycles an iteration takes according to the samples: the time in which a stream
 * advances by its step. 0 means unknown: also if nested loops come back to lines, because then
 * streams begin again so often that their rate is not that of the innermost loop. */
static double measured_cycles(const struct pace_access *a, unsigned n)
{
	double cycles = 0;

	for (unsigned i = 0; i < n; i++) {
		double x = pace_measured(a[i].step, a[i].access.rate);

		if (reach_comes_back(a[i].access.fetched))
			return 0;
		if (x > 0 && (cycles <= 0 || x < cycles))
			cycles = x;
	}
	return cycles;
}

/* Returns by how many bytes stream *a advances in an iteration that takes `time` cycles. If the
 * code does not tell, the next row is on another cache line; of other streams, the rate in the
 * samples counts. */
static double moved_in(const struct pace_access *a, double time)
{
	if (has_step(a) || (!a->row && a->access.rate <= 0))
		return advance_of(a, &usual);
	return a->row ? CACHE_LINE : a->access.rate * time / PACE_CLOCK;
}

/* Returns by how many bytes the streams through the part of an object that a[i] goes through
 * advance in an iteration of `time` cycles. Returns 0 if an access before a[i] is one of them. */
static double part_bytes(const struct pace_access *a, unsigned n, unsigned i, double time,
			 const struct wait_caches *c)
{
	double bytes = 0, lines = 0;

	for (unsigned k = 0; k < n; k++) {
		if (!goes_with(a, i, k, c, &usual))
			continue;
		if (k < i)
			return 0;
		lines += CACHE_LINE; /* an access loads at most one line */
		bytes = fmax(bytes, moved_in(&a[k], time));
	}
	return fmin(bytes, lines);
}

/* Returns how many bytes per cycle a stream gets from this cache level if nothing else limits it. A
 * level that answers late has a lower bandwidth, because as many lines are on their way, down to
 * that of memory. */
static double level_bytes(int level, const struct wait_caches *c)
{
	return fmax(usual.bytes[level] / slowness(level, c), usual.bytes[CACHE_LEVELS]);
}

/* Returns how many cycles an access takes that is no stream, if as many misses overlap as the core
 * has buffers for. */
static double fill_cycles(const struct pace_access *a, const struct wait_caches *c,
			  const double reach[CACHE_LEVELS])
{
	const double lines = a->access.elements ? a->access.elements : 1;

	return lines * reach_wait(&a->access, reach, c) / FILLS;
}

void pace_transfers(const struct wait_loop *l, const struct pace_access *a, unsigned n, double turn,
		    const struct wait_caches *c, const double reach[CACHE_LEVELS], double *cycles)
{
	const double measured = turn > 0 ? turn : measured_cycles(a, n);
	const double time = measured > 0 ? measured : (double)l->likely;

	for (unsigned i = 0; i < n; i++) {
		double bytes = 0;

		for (unsigned k = 0; k < n; k++)
			if (k == i || (a[i].object && a[k].object == a[i].object &&
				       is_stream(&a[k], c, &usual)))
				bytes += part_bytes(a, n, k, time, c);
		cycles[i] = is_stream(&a[i], c, &usual)
				    ? bytes / level_bytes(level_of(a, n, i, c), c)
				    : fill_cycles(&a[i], c, reach);
	}
}

double pace_transfer(const struct reach_access *a, bool stores, const struct wait_caches *c)
{
	int level = 0;

	while (level < CACHE_LEVELS && a->footprint > (double)c->level[level].bytes)
		level++;
	return fmin(1, a->rate * (stores ? 2 : 1) / PACE_CLOCK / slow.bytes[level]);
}

double pace_expected(enum pace_verdict verdict, double arithmetic, double least, double most)
{
	return verdict == PACE_UNCLEAR ? most
				       : sqrt(fmax(arithmetic, least) * fmax(arithmetic, most));
}

/* Sets p->jumps, and adds to p->unclear. `measured` is the number of cycles of an iteration. If the
 * data of a jump is random, half of its predictions are wrong, but data is often not random. A
 * third jump in an iteration seldom runs as often as the first two. */
static void add_jumps(const struct wait_loop *l, double measured, struct pace *p)
{
	const double cycles = fmin(l->jumps, 2) * JUMP_CYCLES + (double)l->resolve;
	const double quarter = cycles / 4 / measured;
	const double half = cycles / 2 / measured * PACE_CLOCK / USUAL_CLOCK;

	p->jumps = fmin(quarter, 1 - p->other);
	p->unclear = fmin(p->unclear + half - quarter, 1 - p->other - p->jumps);
}

/* Judges a loop whose accesses take no longer than its arithmetic, even with slow memory. If an
 * iteration is seen to take twice as long as arithmetic does on a usual CPU, then caches are slower
 * than that, or something else is: the clock, or another thread on the same core. */
static struct pace hidden_loop(double least, double likely, double measured)
{
	if (measured <= 2 * likely)
		return (struct pace){ .verdict = PACE_ARITHMETIC, .other = 1 };
	return (struct pace){ .verdict = PACE_UNCLEAR,
			      .other = least / measured,
			      .unclear = 1 - least / measured };
}

struct pace pace_judge(const struct wait_loop *l, const struct pace_access *a, unsigned n,
		       double turn, const struct wait_caches *c, const double reach[CACHE_LEVELS])
{
	const double least = (double)l->least;
	double likely = (double)l->likely, most, hopeful, measured;
	struct pace p = { .verdict = PACE_MEMORY };

	if (!l->n || !n)
		return p;
	/* what a called function accesses is not known */
	most = n >= l->accesses && !l->calls ? memory_cycles(l, a, n, c, reach, &slow) : INFINITY;
	measured = turn > 0 ? turn : measured_cycles(a, n);
	if (measured > 0)
		likely *= PACE_CLOCK / USUAL_CLOCK; /* in cycles of the clock of `measured` */
	if (most <= least)
		return hidden_loop(least, likely, measured);
	/* The loop's accesses that are not in a[] are assumed to take as long as those in a[]. */
	hopeful = memory_cycles(l, a, n, c, reach, &usual) * fmax(1, (double)l->accesses / n);
	if ((measured > 0 ? measured : hopeful) <= likely)
		p.verdict = PACE_UNCLEAR;
	if (measured <= 0)
		measured = pace_expected(p.verdict, likely, hopeful, most);
	measured = fmax(least, measured);
	p.other = least / measured;
	/* an iteration that takes twice as long as arithmetic on a usual CPU surely waits for the
	 * rest of its time */
	p.unclear = p.verdict == PACE_UNCLEAR
			    ? 1 - p.other
			    : fmax(0, fmin(likely - least, 2 * likely - measured)) / measured;
	add_jumps(l, measured, &p);
	return p;
}

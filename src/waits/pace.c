/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "waits/pace.h"

#include <math.h>

enum {
	LINE = 64,
	/* limit: bytes; the hardware prefetches within a page, so it does not follow larger steps
	 */
	LONGEST_STEP = 2048,
};

/* How fast the memory of a machine is. `slow` is a slow machine, `usual` a typical one. Arrays are
 * indexed by cache level; the last element is memory. */
struct memory {
	double bytes[CACHE_LEVELS + 1]; /* bytes per cycle that a stream gets */
	/* cycles from one miss to the next if many overlap, including those for the translation of
	 * addresses */
	double miss[CACHE_LEVELS + 1];
	/* for a stream whose sampled addresses are not in order: number of cache lines that it
	 * loads for each line by which it advances. It may start in the middle of a line, and end
	 * soon, so it may load more than one */
	double starts;
};

static const struct memory slow = { { 64, 16, 8, 2 }, { 0, 4, 20, 50 }, 2 };
static const struct memory usual = { { 64, 32, 16, 6 }, { 0, 2, 6, 30 }, 1 };

/* Does the access go through memory in steps that the hardware prefetches? If its step in the code
 * is small, but its sampled addresses are not in order, the program passes through the array many
 * times between two samples, or starts in another place again and again. In an array that fits into
 * the second cache level, either costs little. */
static bool is_stream(const struct pace_access *a, const struct wait_caches *c)
{
	bool small = a->step <= LONGEST_STEP && a->step >= -LONGEST_STEP;

	if (a->step == WAIT_NO_STEP)
		return a->access.in_order;
	if (!a->step && a->access.footprint > LINE)
		return false; /* the addresses in samples contradict the step in the code */
	return small && (a->access.in_order || a->access.footprint <= (double)c->level[1].bytes);
}

/* Returns the lowest cache level that has room for everything that the loop touches; CACHE_LEVELS
 * means memory. */
static int level_of_all(const struct pace_access *a, unsigned n, const struct wait_caches *c)
{
	double bytes = 0;
	int level = 0;

	for (unsigned i = 0; i < n; i++) {
		double largest = a[i].access.footprint;

		for (unsigned k = 0; k < n && largest > 0; k++) {
			bool same = a[i].object && a[k].object == a[i].object;

			if (same && k < i)
				largest = 0; /* has been counted with the first access to the
					      * object */
			else if (same && a[k].access.footprint > largest)
				largest = a[k].access.footprint;
		}
		bytes += largest;
	}
	while (level < CACHE_LEVELS && bytes > (double)c->level[level].bytes)
		level++;
	return level;
}

/* All streams through one object, taken as one. */
struct stream {
	double bytes;  /* how far they advance in an iteration; twice that if they only store */
	bool in_order; /* whether the addresses in samples are in order */
};

/* Returns all streams through the object of a[i] as one; { 0 } if an access before a[i] is one of
 * them, because the call for that access has returned them. */
static struct stream stream_of(const struct pace_access *a, unsigned n, unsigned i,
			       const struct wait_caches *c)
{
	double step = 0, lines = 0;
	bool stores = true, known = true, in_order = false;

	for (unsigned k = 0; k < n; k++) {
		if (k != i && (!is_stream(&a[k], c) || !a[i].object || a[k].object != a[i].object))
			continue;
		if (k < i)
			return (struct stream){ 0 };
		lines += LINE;
		stores = stores && a[k].stores;
		in_order = in_order || a[k].access.in_order;
		known = known && a[k].step != WAIT_NO_STEP;
		step = known ? fmax(step, fabs((double)a[k].step)) : step;
	}
	/* a line that is only stored is read first and written back later */
	return (struct stream){ (known ? fmin(step, lines) : lines) * (stores ? 2 : 1), in_order };
}

/* Returns how many cycles one access is expected to take if the hardware does not prefetch it.
 * `alone` means that its miss does not overlap with others, so it takes the full latency in *c;
 * otherwise it takes what *m says for overlapping misses. */
static double miss_cycles(const struct pace_access *a, bool alone, const struct wait_caches *c,
			  const double *reach, const struct memory *m)
{
	struct reach_access scattered = a->access;
	struct wait_caches together = { .memory = m->miss[CACHE_LEVELS] };

	for (int i = 0; i < CACHE_LEVELS; i++)
		together.level[i].cycles = m->miss[i];
	scattered.in_order = false;
	return reach_wait(&scattered, reach, alone ? c : &together);
}

/* Returns how many cycles the memory accesses of one iteration take, on a machine with memory *m.
 */
static double memory_cycles(const struct wait_loop *l, const struct pace_access *a, unsigned n,
			    const struct wait_caches *c, const double *reach,
			    const struct memory *m)
{
	const int level = level_of_all(a, n, c);
	double cycles = 0;

	for (unsigned i = 0; i < n; i++) {
		struct stream s = { 0 };

		if (is_stream(&a[i], c))
			s = stream_of(a, n, i, c);
		if (!is_stream(&a[i], c))
			cycles += miss_cycles(&a[i], a[i].recurrent || l->branches, c, reach, m);
		else if (s.in_order)
			cycles += s.bytes / m->bytes[level];
		else
			cycles +=
				s.bytes / LINE * m->starts * miss_cycles(&a[i], false, c, reach, m);
	}
	return cycles;
}

enum pace pace_judge(const struct wait_loop *l, const struct pace_access *a, unsigned n,
		     const struct wait_caches *c, const double reach[CACHE_LEVELS])
{
	double cycles;

	if (!l->n || !n)
		return PACE_MEMORY;
	if (n >= l->accesses && memory_cycles(l, a, n, c, reach, &slow) <= (double)l->least)
		return PACE_ARITHMETIC;
	/* accesses whose footprint is not known are assumed to take as long as the others */
	cycles = memory_cycles(l, a, n, c, reach, &usual) * fmax(1, (double)l->accesses / n);
	return cycles <= (double)l->likely ? PACE_UNCLEAR : PACE_MEMORY;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "waits/turns.h"

#include <math.h>
#include <stdlib.h>

/* runs of at least this part of the longest one count as equally long */
#define EQUAL 0.85

/* Pairs of samples in unrelated runs look as if the loop went on if the second is further into its
 * run. Their turns vary: the variance is half of the squared mean if both are anywhere in runs of
 * equal length. In a run that goes on, they hardly vary. */
#define STEADY 0.2

/* more pairs than this part of those that seem to go on are not set back by chance */
#define SET_BACK 0.05

enum { FEW = 8 }; /* with fewer samples, nothing is known */

void turns_release(struct turns *t)
{
	free(t->loops.at);
	index_release(&t->by_offset);
}

uint32_t turns_loop(struct turns *t, uint32_t dso, uint64_t offset)
{
	uint32_t hash = index_hash(offset, dso), place = hash, id;

	while ((id = index_next(&t->by_offset, hash, &place)))
		if (AT_ID(t->loops, id).dso == dso && AT_ID(t->loops, id).offset == offset)
			return id;
	if (!VEC_ROOM(&t->loops) || !index_add(&t->by_offset, hash, t->loops.n + 1))
		return 0;
	t->loops.at[t->loops.n++] = (struct turns_loop){ .dso = dso, .offset = offset };
	return t->loops.n;
}

void turns_saw(struct turns *t, uint32_t loop, double left)
{
	struct turns_loop *l = &AT_ID(t->loops, loop);

	l->n++;
	l->sum += left;
	l->most = fmax(l->most, left);
}

/* Returns what is stored about the thread in this loop; NULL if TURNS_THREADS others are. */
static struct turns_thread *thread_of(struct turns_loop *l, uint32_t thread)
{
	for (int i = 0; i < TURNS_THREADS; i++)
		if (l->threads[i].thread == thread || !l->threads[i].thread)
			return &l->threads[i];
	return NULL;
}

void turns_counted(struct turns *t, uint32_t loop, const struct turns_count *c)
{
	struct turns_loop *l = &AT_ID(t->loops, loop);
	struct turns_thread *x = thread_of(l, c->thread), last;
	const int64_t counter = (int64_t)c->counter;
	int64_t moved;
	double rate;

	l->counted++;
	if (!x)
		return;
	last = *x;
	*x = (struct turns_thread){ .thread = c->thread,
				    .time = c->time,
				    .counter = c->counter,
				    .run = c->run,
				    .low = counter,
				    .high = counter };
	if (!last.thread)
		return;
	x->low = last.low < counter ? last.low : counter;
	x->high = last.high > counter ? last.high : counter;
	/* a sample between the two was elsewhere */
	if (c->time - last.time > c->period + c->period / 2)
		return;
	moved = (int64_t)(c->adds > 0 ? c->counter - last.counter : last.counter - c->counter);
	moved /= labs((long)c->adds);
	if (moved < 0 || c->run != last.run) {
		l->back += c->run == last.run;
		l->changed += c->run != last.run;
		return;
	}
	l->goes_on++;
	l->ns += (double)(c->time - last.time);
	l->turns += (double)moved;
	rate = (double)moved / (double)(c->time - last.time);
	l->rates += rate;
	l->squares += rate * rate;
	l->period = c->period > l->period ? c->period : l->period;
}

/* In a sample at a random time, 1 to all n iterations remain, (n + 1) / 2 on average. More samples
 * than average are at the start of a run if its first iterations take longer, but never do more
 * iterations remain than there are. */
double turns_usual(const struct turns *t, uint32_t loop)
{
	const struct turns_loop *l = &AT_ID(t->loops, loop);

	return l->n < FEW ? 0 : fmax(1, fmin(2 * l->sum / l->n - 1, l->most));
}

/* Of runs of different length, most samples are in the long ones, and in their first iterations the
 * most remain: then `most` is much above the average of all runs. */
double turns_equal(const struct turns *t, uint32_t loop)
{
	const double usual = turns_usual(t, loop);

	return usual >= EQUAL * AT_ID(t->loops, loop).most ? usual : 0;
}

/* Do all pairs of samples between which the loop went on show the same speed? */
static bool is_steady(const struct turns_loop *l)
{
	return l->goes_on * l->squares <= (1 + STEADY) * l->rates * l->rates;
}

/* Do the fixed registers differ in all runs, as the end of a matrix's row does? If the two samples
 * of a pair were in unrelated runs that look like one, the counter would be set back as often as
 * not. */
static bool tells_runs(const struct turns_loop *l)
{
	return l->changed >= FEW && l->goes_on >= 2 * FEW && l->back <= SET_BACK * l->goes_on;
}

/* Can pairs of samples be in the same run? `range` is what its counter passes through, iterations,
 * none of which takes less than `least` ns.
 *
 * If the loop runs shorter than the time between two samples, the second sample is in another run,
 * but its counter stays in the range of one: a range that cannot be passed through in this time is
 * a proof of longer runs. If all runs are equally long, and little longer than that time, the
 * counter of a sample in another run than the one before is lower. Otherwise it may be higher: then
 * such pairs must be few, or all others show the same speed. */
static bool goes_on(const struct turns *t, uint32_t loop, double range, double least)
{
	const struct turns_loop *l = &AT_ID(t->loops, loop);
	const bool mixed = (l->back + l->changed) * 4 > l->goes_on &&
			   (turns_equal(t, loop) <= 0 || !is_steady(l));

	return !mixed && range * least >= (double)l->period;
}

double turns_time(const struct turns *t, uint32_t loop, int32_t adds, double least)
{
	const struct turns_loop *l = &AT_ID(t->loops, loop);
	double range = 0;

	for (int i = 0; i < TURNS_THREADS; i++)
		range = fmax(range, (double)l->threads[i].high - (double)l->threads[i].low);
	if (l->goes_on < FEW || l->turns <= 0 ||
	    (!tells_runs(l) && !goes_on(t, loop, range / fabs((double)adds), least)))
		return 0;
	return l->ns / l->turns;
}

double turns_part(const struct turns *t, uint32_t inner, uint32_t around)
{
	const double all = (double)AT_ID(t->loops, around).counted;

	return all > 0 ? fmin(1, (double)AT_ID(t->loops, inner).counted / all) : 0;
}

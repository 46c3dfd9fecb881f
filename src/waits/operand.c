/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "waits/operand.h"

#include <math.h>
#include <stdlib.h>

enum {
	/* bytes. If the known addresses of an operand are too few, or only tend to be in order,
	 * they are assumed to be in order if the code moves the address by at most this many bytes
	 * in each iteration */
	LONGEST_STEP = 64,
	/* an operand's address is requested for each sample until it has been requested OFTEN
	 * times, then for one sample in RARELY: more addresses hardly improve the estimate */
	OFTEN = 2048,
	RARELY = 8,
	/* after this many addresses, the object of most of them is considered to be known */
	ENOUGH = 32,
};

/* If more than this share of an operand's addresses is in one object, all of its accesses are
 * assumed to be in that object. */
#define USUAL 0.9

void operand_release(struct operand *o)
{
	for (int t = 0; t < ACCOUNT_THREADS; t++)
		series_release(&o->threads[t].series);
}

bool operand_is_asked(struct operand *o, bool lost)
{
	const uint32_t asked = o->asked[lost]++;

	return asked < OFTEN || asked % RARELY == 0;
}

static void count_vote(struct operand *o, uint32_t object)
{
	if (!o->votes && o->object != object) {
		o->object = object;
		o->hits = 0;
		o->extent = 0;
	}
	if (o->object == object) {
		o->votes++;
		o->hits++;
	} else {
		o->votes--;
	}
	o->voters++;
}

/* Returns the time in ns from the thread's sample at `time` to the sample *s; 0 if the thread had a
 * sample between the two. A timer may be late by a part of a period, but if there was a sample
 * between the two, the time is longer by at least one period. */
static uint64_t time_after(uint64_t time, const struct account_sample *s)
{
	return s->time - time < s->period + s->period / 2 ? s->time - time : 0;
}

bool operand_saw(struct operand *o, const struct account_sample *s, uint64_t address,
		 uint32_t object)
{
	bool ok;

	o->seen++;
	if (!s->pointee)
		count_vote(o, object & ~ACCOUNT_MOVED);
	if (o->object == (object & ~ACCOUNT_MOVED) && s->extent > o->extent)
		o->extent = s->extent;
	o->moved += object & ACCOUNT_MOVED ? 1 : 0;
	for (int t = 0; t < ACCOUNT_THREADS; t++) {
		if (o->threads[t].series.n && o->threads[t].thread != s->thread)
			continue;
		o->threads[t].thread = s->thread;
		o->threads[t].series.room = o->extent;
		ok = series_add(&o->threads[t].series, address, time_after(o->threads[t].time, s));
		o->threads[t].time = s->time;
		return ok;
	}
	return true;
}

void operand_within(struct operand *o, uint64_t base, uint64_t span, uint64_t bytes)
{
	if (!o->lowest || base < o->lowest)
		o->lowest = base;
	if (base > o->highest)
		o->highest = base;
	if (span && o->highest - o->lowest + span < bytes)
		bytes = o->highest - o->lowest + span;
	if (bytes <= o->within)
		return;
	o->within = bytes;
	o->judged = 0;
}

void operand_steps(struct operand *o, int64_t step)
{
	if (step && llabs(step) < llabs((int64_t)o->step))
		o->step = (int32_t)step;
}

bool operand_is_due(const struct operand *o)
{
	return !o->judged || o->seen > o->judged + o->judged / 2;
}

/* Does each iteration of the innermost loop change the operand's address by 1 to LONGEST_STEP
 * bytes, up or down? */
static bool is_stepped(const struct operand *o)
{
	return o->step && o->step >= -LONGEST_STEP && o->step <= LONGEST_STEP;
}

/* Does the operand go through several streams in turn? If its step is known and large, it must lead
 * from one of the streams to another one. */
static bool is_in_streams(const struct operand *o, const struct series *s)
{
	return series_streams(s) > 1 &&
	       (o->step == WAIT_SOME_STEP || !wait_is_walk(o->step) ||
		fabs((double)o->step) * SERIES_STREAMS >= (double)(s->high - s->low));
}

/* Sets o->access from the addresses of one thread. */
static void judge_series(struct operand *o, const struct series *most, uint32_t thread)
{
	o->access.footprint = series_footprint(most);
	o->access.in_order = o->streams || series_streams(most) == 1 ||
			     (is_stepped(o) && series_tends(most) &&
			      !series_jumps(most, o->fastest > 0 ? o->fastest : INFINITY));
	/* if it also goes through other objects, as through work arrays row by row, the
	 * rate in one of them does not show how fast it advances */
	if (operand_object(o))
		o->access.rate = series_rate(most, o->fastest > 0 ? o->fastest : INFINITY);
	if (most->n > SERIES_FEW) {
		o->access.low = most->low;
		o->access.high = most->high;
		o->access.thread = thread;
	}
	o->access.footprint =
		fmin(o->access.footprint, series_window(most, is_stepped(o) && o->access.in_order));
	if (!o->access.in_order)
		o->access.footprint = fmin(o->access.footprint, near_bytes(&o->near));
	/* a block that replaces another one is elsewhere, but not larger */
	if (o->extent && operand_object(o))
		o->access.footprint = fmin(o->access.footprint, (double)o->extent + CACHE_LINE);
}

void operand_judge(struct operand *o)
{
	const struct series *most;
	int thread = 0;

	for (int t = 1; t < ACCOUNT_THREADS; t++)
		if (o->threads[t].series.n > o->threads[thread].series.n)
			thread = t;
	most = &o->threads[thread].series;
	o->judged = o->seen;
	o->known = most->n || o->within;
	o->access = (struct reach_access){ .bytes = o->bytes, .elements = o->elements };
	o->streams = is_in_streams(o, most);
	if (o->within && most->n <= SERIES_FEW) {
		o->access.footprint = (double)o->within;
		o->access.unseen = true;
		o->access.in_order = is_stepped(o);
	} else if (most->n) {
		judge_series(o, most, o->threads[thread].thread);
	}
	/* The hardware does not prefetch such large steps, even if the addresses are in order. */
	if (o->step != WAIT_SOME_STEP && wait_is_walk(o->step) && !o->streams)
		o->access.in_order = false;
}

uint32_t operand_object(const struct operand *o)
{
	return o->hits > USUAL * o->voters ? o->object : 0;
}

bool operand_may_learn(const struct operand *o)
{
	return !o->settled && o->voters < ENOUGH;
}

bool operand_is_pointed(const struct operand *o, const struct wait_candidate *c)
{
	return wait_is_pointed(c) && (!o || o->seen <= SERIES_FEW);
}

bool operand_meets(const struct operand *a, const struct operand *b)
{
	for (int t = 0; t < ACCOUNT_THREADS; t++) {
		const struct series *x = &a->threads[t].series;

		for (int u = 0; u < ACCOUNT_THREADS; u++) {
			const struct series *y = &b->threads[u].series;

			if (x->n && y->n && a->threads[t].thread == b->threads[u].thread)
				return x->low < y->high + (b->bytes ? b->bytes : 1) &&
				       y->low < x->high + (a->bytes ? a->bytes : 1);
		}
	}
	return false;
}

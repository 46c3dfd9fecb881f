/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Converts perf's times to CLOCK_MONOTONIC, the clock of the tracker's logs. While a log gets
 * events, it stores about every 10 ms a reading of all clocks that perf record -k can select. Times
 * between two readings are interpolated. Without -k, perf records the kernel's own clock
 * (sched_clock). If the kernel derives that clock from the time-stamp counter, perf.data contains
 * the factors of the conversion, and the logs contain readings of the counter. */
#include "import/clock.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "import/losses.h"
#include "import/pipeline.h"

enum {
	/* readings that are closer together than this are not used: their difference shows the
	 * duration of a reading, not the speed of the clock */
	CLOSEST_NS = 1000000,
	/* if perf's clock advanced by this much more or less than CLOCK_MONOTONIC between two
	 * readings, the clock was set, or the machine slept */
	STEP_NS = 1000000,
	/* if the time from the first to the last reading is shorter than this, their errors are too
	 * large for computing a rate */
	SPAN_NS = 1000000000,
};

const char *clock_name(const struct pd_features *f)
{
	if (!f->has_clockid)
		return "perf";
	switch (f->clockid) {
	case CLOCK_MONOTONIC:
		return "monotonic";
	case CLOCK_MONOTONIC_RAW:
		return "monotonic_raw";
	case CLOCK_REALTIME:
		return "realtime";
	case CLOCK_BOOTTIME:
		return "boottime";
	case CLOCK_TAI:
		return "tai";
	default:
		return "other";
	}
}

/* Returns the time of the kernel's own clock at this value of the time-stamp counter (the
 * formula of perf_event_mmap_page in linux/perf_event.h). */
static uint64_t perf_time(const struct pd_time_conv *t, uint64_t ticks)
{
	uint64_t rest = ticks & ((UINT64_C(1) << t->shift) - 1);

	return t->zero + (ticks >> t->shift) * t->mult + (rest * t->mult >> t->shift);
}

/* Returns by how much CLOCK_TAI is ahead of the wall clock; this is a whole number of seconds.
 * perf.data contains one reading of each clock. The two were not made at exactly the same moment,
 * so the difference is rounded. */
static uint64_t tai_offset(const struct pd_features *f)
{
	const int64_t second = 1000000000;
	int64_t ahead = (int64_t)(f->clock_ref_ns - f->clock_ref_realtime_ns);

	return (uint64_t)((ahead + second / 2) / second * second);
}

/* Returns the time of perf's clock at the moment *m; 0 means unknown. */
static uint64_t recorded_at(const struct pd_features *f, const struct tl_moment *m)
{
	if (!f->has_clockid)
		return f->has_time_conv && m->ticks ? perf_time(&f->time_conv, m->ticks) : 0;
	switch (f->clockid) {
	case CLOCK_MONOTONIC_RAW:
		return m->monotonic_raw;
	case CLOCK_REALTIME:
		return m->realtime;
	case CLOCK_BOOTTIME:
		return m->boottime;
	case CLOCK_TAI:
		return m->realtime && f->clock_ref_ns ? m->realtime + tai_offset(f) : 0;
	default:
		return 0;
	}
}

/* Adds to im->in.clock the clock readings of one log of the tracker. Returns 0 or MD_ENOMEM. */
static int read_log(struct import *im, const struct track *t)
{
	struct clock_map *c = &im->in.clock;
	struct tl_moment *m = NULL;
	struct tl_log *log = NULL;
	uint32_t n = 0;
	char *path;
	int ret;

	if (asprintf(&path, "%s/%s", im->in.track_dir, t->name) < 0)
		return MD_ENOMEM;
	ret = tl_open_path(path, &log, NULL);
	free(path);
	if (!ret)
		ret = tl_moments(log, &m, &n, NULL);
	for (uint32_t i = 0; i < n && !ret; i++) {
		uint64_t from = recorded_at(pd_features(im->in.perf), &m[i]);

		if (!from || !m[i].monotonic)
			continue;
		if (VEC_ROOM(&c->points))
			c->points.at[c->points.n++] = (struct clock_point){ from, m[i].monotonic };
		else
			ret = MD_ENOMEM;
	}
	free(m);
	tl_close(log);
	return ret == MD_ENOMEM ? ret : 0; /* another step reports a log that cannot be read */
}

/* Compares by CLOCK_MONOTONIC. Readings of one log are in order, but those of several logs are
 * not. */
static int by_monotonic(const void *a, const void *b)
{
	uint64_t x = ((const struct clock_point *)a)->to, y = ((const struct clock_point *)b)->to;

	return (x > y) - (x < y);
}

/* Sorts the readings. Keeps a reading only if it is later than the last kept one on perf's clock,
 * and at least CLOSEST_NS later on CLOCK_MONOTONIC. Counts jumps of perf's clock. */
static void sort_points(struct clock_map *c)
{
	struct clock_point *at = c->points.at;
	uint32_t kept = 0;

	if (!at)
		return;
	qsort(at, c->points.n, sizeof(*at), by_monotonic);
	for (uint32_t i = 0; i < c->points.n; i++) {
		int64_t apart;

		if (kept && at[i].to - at[kept - 1].to < CLOSEST_NS)
			continue;
		apart = kept ? (int64_t)((at[i].from - at[kept - 1].from) -
					 (at[i].to - at[kept - 1].to))
			     : 0;
		if (apart > STEP_NS)
			c->steps++;
		if (apart < -STEP_NS)
			c->set_back = true;
		if (!kept || at[i].from > at[kept - 1].from)
			at[kept++] = at[i];
	}
	c->points.n = kept;
}

/* Returns the speed of perf's clock relative to CLOCK_MONOTONIC, for times before the first reading
 * and after the last one. NTP adjusts most clocks in the same way as CLOCK_MONOTONIC, so their rate
 * is 1. NTP does not adjust CLOCK_MONOTONIC_RAW and the kernel's own clock, so their rate is
 * computed from the readings. */
static double outer_rate(const struct pd_features *f, const struct clock_map *c)
{
	const struct clock_point *first = c->points.at, *last = first + c->points.n - 1;
	double rate;

	if ((f->has_clockid && f->clockid != CLOCK_MONOTONIC_RAW) || last->to - first->to < SPAN_NS)
		return 1;
	rate = (double)(last->to - first->to) / (double)(last->from - first->from);
	/* NTP adjusts a clock by at most 500 ppm, so a rate that differs from 1 by 1000 ppm or more
	 * is a measurement error */
	return rate > 0.999 && rate < 1.001 ? rate : 1;
}

/* Multiplies a duration by a rate. A damaged file may contain an arbitrary duration, so the result
 * is clamped to int64_t. */
static uint64_t scale_time(int64_t ns, double rate)
{
	const double limit = 9e18;
	double v = (double)ns * rate;

	v = v > limit ? limit : v < -limit ? -limit : v;
	return (uint64_t)(int64_t)v;
}

/* Most records are a little later than the previous one. So the search for the two readings around
 * `time` begins where the previous search ended. Before the first and after the last reading,
 * outer_rate applies. Time 0 means "no time" and stays 0; no other time becomes 0. */
uint64_t clock_time(struct import *im, uint64_t time)
{
	struct clock_map *c = &im->in.clock;
	const struct clock_point *p = c->points.at;
	double rate = c->outer_rate;
	uint32_t i = c->last;

	if (!c->points.n || !time)
		return time;
	while (i > 0 && time < p[i].from)
		i--;
	while (i + 1 < c->points.n && time >= p[i + 1].from)
		i++;
	c->last = i;
	if (time >= p[i].from && i + 1 < c->points.n)
		rate = (double)(p[i + 1].to - p[i].to) / (double)(p[i + 1].from - p[i].from);
	time = p[i].to + scale_time((int64_t)(time - p[i].from), rate);
	return time ? time : 1;
}

/* Returns why perf's times cannot be converted; NULL if they can. */
static const char *no_way(const struct import *im)
{
	const struct pd_features *f = pd_features(im->in.perf);
	const struct clock_map *c = &im->in.clock;

	if (!f->has_clockid && !f->has_time_conv)
		return "perf recorded by the kernel's own clock, and the file does not say how "
		       "that "
		       "is made of the CPU's counter: record with -k CLOCK_MONOTONIC";
	if (!c->points.n)
		return "the tracker's logs have no readings of the clock that perf recorded by: "
		       "record with -k CLOCK_MONOTONIC";
	if (c->set_back)
		return "the clock that perf recorded by was set back during the recording: record "
		       "with -k CLOCK_MONOTONIC";
	return NULL;
}

/* Writes the sentence for the table `runs` that says how perf's times were converted, and how
 * precisely. */
static void describe_clock(struct import *im)
{
	struct clock_map *c = &im->in.clock;
	uint64_t widest = 0;
	char steps[64] = "";

	for (uint32_t i = 1; i < c->points.n; i++)
		if (c->points.at[i].to - c->points.at[i - 1].to > widest)
			widest = c->points.at[i].to - c->points.at[i - 1].to;
	if (c->steps)
		snprintf(steps, sizeof(steps), "; it was set, or the machine slept, %u times",
			 c->steps);
	snprintf(c->how, sizeof(c->how),
		 "by %" PRIu32 " readings of both clocks in the tracker's logs, at most %.1f ms "
		 "apart%s",
		 c->points.n, (double)widest * 1e-6, steps);
}

/* Without a common clock, it is unknown which events of the tracker and the follower come before
 * which samples. So no more of their logs is read, and the reason is written to the table `losses`.
 */
int clock_open(struct import *im)
{
	const struct pd_features *f = pd_features(im->in.perf);
	const char *why;
	int ret = 0;

	im->in.clock.name = clock_name(f);
	if (!im->in.track_dir || (f->has_clockid && f->clockid == CLOCK_MONOTONIC))
		return 0;
	for (uint32_t i = 0; i < im->in.tracks.n && !ret; i++)
		ret = read_log(im, &im->in.tracks.at[i]);
	if (ret)
		return md_nomem(im->err);
	sort_points(&im->in.clock);
	why = no_way(im);
	if (!why) {
		im->in.clock.outer_rate = outer_rate(f, &im->in.clock);
		im->in.clock.name = "monotonic";
		describe_clock(im);
		return 0;
	}
	im->in.clock.points.n = 0;
	import_missing(im, "import", "joins refused", 1, why);
	tracks_close(im);
	im->in.follow.has_next = false;
	return 0;
}

void clock_release(struct clock_map *c)
{
	free(c->points.at);
}

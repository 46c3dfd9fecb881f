/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Handles the events of all inputs in the order of time. Four inputs report events of the same
 * period: perf's file, the file of page faults, the tracker's logs, and the follower's log. The
 * earliest event of all inputs is always handled next. So when a sample is handled, the model
 * already contains what the sample needs: which block lives at its address, which code is mapped,
 * where the page is.
 *
 * What must stay true: no step uses a later event; prescan.c, which reads in advance, is the only
 * exception.
 */
#include "import/replay.h"

#include "base/mapfile.h"
#include "import/pipeline.h"
#include "import/sample.h"
#include "import/side.h"

/* Handles a record of perf's file or of the page-fault file. The times of the first and the last
 * record are the time range of the recording. */
static void perf_step(struct import *im, const struct pd_raw *rec, uint64_t time)
{
	if (time && !im->out.first_time)
		im->out.first_time = time;
	if (time > im->out.last_time)
		im->out.last_time = time;
	if (im->in.reading == im->in.perf && time > im->out.perf_last_time)
		im->out.perf_last_time = time;
	if (rec->type == PERF_RECORD_SAMPLE) {
		import_sample(im, rec, time);
	} else {
		phase_enter(im, PHASE_SIDE);
		import_side(im, rec, time);
	}
}

/* Progress is counted in bytes of all inputs together, because nobody knows beforehand which input
 * takes most of the time. */
static void show_progress(struct import *im)
{
	uint64_t done = im->in.tracks.passed;
	uint64_t all = im->in.tracks.bytes + im->in.follow.bytes;

	for (int f = 0; f < RECORDED; f++) {
		const struct recorded *r = &im->in.recorded[f];

		done += r->file ? pd_order_position(r->order) : 0;
		all += r->file ? pd_data_size(r->file) : 0;
	}
	if (im->in.follow.log)
		done += im->in.follow.bytes - fl_left(im->in.follow.log);
	progress_set(&im->progress, done, all);
}

/* Counts a step. Once in 4096 steps, shows progress and checks for an interrupt and for errors. */
static int check_now_and_then(struct import *im)
{
	++im->steps;
	if (im->phases.wanted)
		phases_next(im);
	if (im->steps % 4096)
		return 0;
	show_progress(im);
	if (im->o->stop && *im->o->stop)
		return md_fail(im->err, MD_EINTR, "interrupted");
	if (import_out_of_memory(im))
		return md_nomem(im->err);
	if (mapfile_failed(im->err))
		return MD_EIO;
	return writer_error(im->out.w, im->err);
}

/* Applies all events of the tracker and the follower that are earlier than `time`. Reports that
 * prescan.c has read in advance are applied before other events of the same time. */
static int catch_up(struct import *im, uint64_t time)
{
	struct track *t;
	int ret;

	while (!(ret = tracks_oldest(im, &t))) {
		uint64_t track = t ? t->next.time : UINT64_MAX;
		uint64_t follow = im->in.follow.has_next ? im->in.follow.next.time : UINT64_MAX;
		uint64_t ahead = ahead_time(im);

		im->silent_until = track < follow ? track : follow;
		if (ahead < im->silent_until)
			im->silent_until = ahead;
		if (im->silent_until >= time)
			return 0;
		phase_enter(im, PHASE_TRACK);
		if (ahead == im->silent_until)
			ahead_step(im);
		else
			ret = track <= follow ? track_step(im, t) : follow_step(im);
		if (!ret)
			ret = check_now_and_then(im);
		if (ret)
			return ret;
	}
	return ret;
}

/* Reads the next record of a file. Converts times of perf's file to CLOCK_MONOTONIC, which
 * memdb's own files use. */
static int read_next(struct import *im, struct recorded *r)
{
	int ret = r->file ? pd_order_next(r->order, &r->next, &r->time, im->err) : 0;

	r->has_next = ret > 0;
	if (r->has_next && r->file == im->in.perf)
		r->time = clock_time(im, r->time);
	return ret < 0 ? ret : 0;
}

/* Returns the file whose next record is the oldest; NULL when all files have been read. */
static struct recorded *oldest_record(struct import *im)
{
	struct recorded *best = NULL;

	for (int f = 0; f < RECORDED; f++) {
		struct recorded *r = &im->in.recorded[f];

		if (r->has_next && (!best || r->time < best->time))
			best = r;
	}
	return best;
}

/* Applies the events of the tracker and the follower that are earlier than this record, then the
 * record itself. */
static int record_step(struct import *im, struct recorded *r)
{
	int ret = r->time > im->silent_until ? catch_up(im, r->time) : 0;

	if (ret)
		return ret;
	phase_enter(im, PHASE_READ);
	im->in.reading = r->file;
	perf_step(im, &r->next, r->time);
	ret = check_now_and_then(im);
	return ret ? ret : read_next(im, r);
}

/* Handles the events of all inputs in the order of time. */
int replay_events(struct import *im)
{
	struct recorded *r;
	int ret = 0;

	for (int f = 0; f < RECORDED && !ret; f++)
		ret = read_next(im, &im->in.recorded[f]);
	while (!ret && (r = oldest_record(im)))
		ret = record_step(im, r);
	if (!ret)
		ret = catch_up(im, UINT64_MAX);
	if (ret)
		return ret;
	held_flush(im);
	moved_take_back(im);
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reports in the table `losses` which data the database lacks, and which inputs are damaged. */
#include "import/losses.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/count.h"
#include "import/pipeline.h"
#include "import/promised.h"

void import_loss(struct import *im, const char *source, const char *what, uint64_t count,
		 const char *detail)
{
	if (!count)
		return;
	writer_put_loss(im->out.w, &(struct row_loss){
					   .id = ++im->out.loss_id,
					   .source = source,
					   .what = what,
					   .count = (int64_t)count,
					   .detail = detail && *detail ? detail : NULL,
				   });
}

/* Adds a loss to the sentence im->r->missing, which memdb prints after the import. */
static void add_missing(struct import *im, const char *source, const char *what, uint64_t count)
{
	char *list = im->r->missing;
	size_t used = strlen(list);

	if (count)
		snprintf(list + used, sizeof(im->r->missing) - used, "%s%" PRIu64 " %s (%s)",
			 used ? ", " : "", count, what, source);
}

void import_missing(struct import *im, const char *source, const char *what, uint64_t count,
		    const char *detail)
{
	import_loss(im, source, what, count, detail);
	add_missing(im, source, what, count);
}

/* memdb prints only the first report of damage; the table `losses` has all of them. */
void import_damage(struct import *im, const char *source, const char *what, uint64_t count,
		   const char *detail)
{
	char *damage = im->r->damage;

	import_loss(im, source, what, count, detail);
	if (count && !damage[0])
		snprintf(damage, sizeof(im->r->damage), "%s", detail);
}

/* Reports the number of stack copies that could not be unwound up to the outermost frame. */
static void write_unwinding_losses(struct import *im)
{
	static const struct {
		enum unwind_end end;
		const char *what, *why;
	} ends[] = {
		{ UNWIND_STACK, "call chains beyond the stack copy",
		  "perf copied too little of the user's stack: --call-graph dwarf,BYTES" },
		{ UNWIND_NO_RULES, "call chains at code without unwind rules",
		  "the file is not available, or it is code made at run time" },
		{ UNWIND_NO_CODE, "call chains that leave the code", NULL },
		{ UNWIND_UNSOUND, "call chains with unsound unwind rules", NULL },
		{ UNWIND_FULL, "call chains longer than what is kept", NULL },
	};

	for (size_t i = 0; i < COUNT_OF(ends); i++)
		import_loss(im, "import", ends[i].what, im->model.chains.ends[ends[i].end],
			    ends[i].why);
}

static const char buffers_full[] = "the buffers or the disk were full";

/* Reports the losses of one file: of the sampler's file or of the page-fault file. `full` is the
 * reason of lost events. */
static void write_file_losses(struct import *im, const struct recorded *r, const char *source,
			      const char *full)
{
	const struct pd_losses *p = pd_losses(r->file);

	import_missing(im, source, "lost events", p->lost_events, full);
	import_missing(im, source, "lost samples", p->lost_samples, "the PMU's buffer was full");
	import_loss(im, source, "throttled", p->throttled,
		    "times the kernel stopped an event for a moment because it sampled too often");
	import_missing(im, source, "truncated traces", p->truncated_aux,
		       "times the buffer of the AUX trace was full");
	import_missing(im, source, "unknown records", p->unknown_records,
		       "of types that this memdb does not know");
	import_loss(im, source, "unknown header features", p->unknown_features, NULL);
	import_damage(im, source, "damaged records", p->damaged_records, p->what);
	import_damage(im, source, "unread bytes", p->unread_bytes, p->what);
	import_damage(im, source, "damage elsewhere",
		      p->what[0] && !p->damaged_records && !p->unread_bytes, p->what);
	import_loss(
		im, source, "late records", pd_order_late(r->order),
		"records older than what had been sorted already: they are imported after newer "
		"ones");
}

/* Returns the number of events that sampled time or cycles in user code only. */
static uint64_t count_user_clocks(struct import *im)
{
	const struct pd_file *f = im->in.recorded[RECORDED_BY_PERF].file;
	const struct pd_evsel *e;
	uint64_t n = 0;

	for (uint32_t i = 0; (e = pd_evsel_at(f, i)); i++) {
		enum event_role role = event_role(im, e);

		n += (role == ROLE_TIME || role == ROLE_CYCLES) && e->attr.exclude_kernel;
	}
	return n;
}

/* Reports the losses of the sampler: of perf, or of memdb's own code in the program (exact, soft),
 * which writes perf's format, too. */
static void write_sampler_losses(struct import *im)
{
	const bool by_itself = recording_is_by(&im->in.recording, RUN_EMULATED) ||
			       recording_is_by(&im->in.recording, RUN_INSTRUMENTED);

	write_file_losses(
		im, &im->in.recorded[RECORDED_BY_PERF], by_itself ? "sampler" : "perf",
		by_itself ? "the disk was full, the limit on file sizes (ulimit -f) was reached, "
			    "or the program closed the sampler's file and may not open it again"
			  : buffers_full);
}

static void write_perf_losses(struct import *im)
{
	const struct tp_losses *tp = tp_losses(im->in.tracepoints);

	write_sampler_losses(im);
	if (im->in.recorded[RECORDED_FAULTS].file)
		write_file_losses(im, &im->in.recorded[RECORDED_FAULTS], "faults", buffers_full);
	import_damage(im, "faults", "unread bytes", im->in.faults_damage[0] != 0,
		      im->in.faults_damage);
	import_loss(im, "perf", "kernel mode", count_user_clocks(im),
		    "what the kernel did for the threads (system calls, page faults) was not "
		    "sampled: thread time is user time");
	import_missing(im, "perf", "tracepoints without format", tp->no_format, tp->what);
	import_damage(im, "perf", "damaged tracepoints", tp->damaged,
		      "tracepoints whose raw data are missing or shorter than their fields");
}

/* Reports samples without a row, and page faults without a home. */
static void write_import_losses(struct import *im)
{
	char detail[300];

	snprintf(detail, sizeof(detail), "%s: %s", im->in.aux.kind ? im->in.aux.kind : "",
		 im->in.aux.why);
	import_missing(im, "import", "AUX trace", im->in.aux.why[0] != 0, detail);
	import_missing(im, "import", "samples of unknown events", im->out.unknown_event,
		       "their ids are none of the events that the recording names");
	import_loss(im, "import", "page faults without a home",
		    im->out.predicted_homes[ROOM_MISSING],
		    "the node on which the page belongs was full at that time: the kernel placed "
		    "some pages on another node");
	import_loss(im, "import", "page faults without a home",
		    im->out.predicted_homes[ROOM_UNOBSERVED],
		    "the recording does not contain whether the node had free memory");
	import_loss(im, "import", "samples without memory access", im->out.without_access,
		    "instructions that touch no memory");
}

/* Reports the losses of each log in rows of their own. The sentence that memdb prints has the sums
 * over all logs. */
static void write_log_losses(struct import *im)
{
	uint64_t events = 0, processes = 0;
	char detail[300];

	for (uint32_t i = 0; i < im->in.tracks.n; i++) {
		const struct track *t = &im->in.tracks.at[i];
		const struct tl_losses *l = t->log ? tl_losses(t->log) : &t->losses;

		import_loss(im, "tracker", "lost events", l->lost_events, t->name);
		import_loss(im, "tracker", "forked children not tracked", l->lost_children,
			    "they could make no log: no room, no file descriptor, or it was "
			    "forbidden");
		import_loss(im, "tracker", "events without stack", l->lost_stacks, t->name);
		import_loss(im, "tracker", "events with the inner part of their stack",
			    l->short_stacks, "a thread had more than a million different frames");
		snprintf(detail, sizeof(detail), "%s: %s", t->name, l->what);
		import_damage(im, "tracker", "damaged bytes", l->damaged_bytes, detail);
		events += l->lost_events;
		processes += l->lost_children;
	}
	add_missing(im, "tracker", "lost events", events);
	add_missing(im, "tracker", "forked children not tracked", processes);
}

/* Reports the losses and damage of the tracker's logs. Also reports the samples in which the
 * program's threads worked for the recording; no other number in the database includes these
 * samples. */
static void write_tracker_losses(struct import *im)
{
	import_loss(im, "tracker", "samples in the tracker", im->out.in_tracker,
		    "what recording cost inside the program: in no figure");
	import_loss(im, "perf", "samples in perf", im->out.in_recorder,
		    "what recording cost in the kernel: in no figure");
	import_loss(im, "tracker", "page faults in the tracker", im->out.faults_in_tracker,
		    "pages of its log: in no figure");
	import_loss(
		im, "tracker", "events of unknown threads", im->in.tracks.unknown_tids,
		"in a PID namespace threads have other numbers than perf's: only the first of a "
		"process is known by both");
	import_loss(im, "tracker", "deaths without birth", im->in.tracks.unpaired_deaths,
		    "blocks born before the tracker, or in another image");
	import_loss(im, "import", "call paths without their outer part", im->model.code.short_paths,
		    "the recording has more than 4 million different ones");
	write_log_losses(im);
	import_damage(im, "tracker", "missing bytes", im->in.tracks.missing_bytes,
		      TRACK_SHARED
		      " is shorter than the part of it that logs have used: it was cut "
		      "short, or its counter is damaged");
	import_damage(im, "tracker", "damaged looks at pages", im->in.tracks.unsound_looks,
		      "the tracker's logs name nodes that no machine has");
}

/* Reports nodes that the recording mentions but does not describe. */
static void write_node_losses(struct import *im)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < im->model.topology.nodes.n; i++)
		n += !im->model.topology.nodes.at[i].cpus;
	if (im->in.follow_path)
		import_damage(im, "follower", "nodes without description", n,
			      "follow.log lacks the lines that describe nodes which others name");
	else
		import_loss(im, "import", "nodes without description", n, NULL);
}

/* Must be called after all steps that count losses. */
void losses_write(struct import *im)
{
	const bool logs = promised_write_losses(im);

	write_perf_losses(im);
	write_import_losses(im);
	write_unwinding_losses(im);
	images_write_losses(im);
	write_tracker_losses(im);
	write_node_losses(im);
	recording_losses(im, logs);
}

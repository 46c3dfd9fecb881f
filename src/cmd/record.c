/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * memdb record: records a program and makes a database from the recording. This file has the
 * options; record/session.h makes the recording.
 */
#include <argp.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/count.h"
#include "base/owner.h"
#include "base/escape.h"
#include "base/words.h"
#include "cmd/cmd.h"
#include "cmd/stop.h"
#include "import/import.h"
#include "report/report.h"
#include "record/session.h"
#include "track_format.h"

#define MOST_BYTES                                                                   \
	(UINT64_C(1) << 57)        /* maximum of sizes in bytes; no process has more \
				    * memory */
#define MOST_PER_SECOND 1000000000 /* maximum of -F in samples per second: one per ns */

enum {
	OPT_CALL_GRAPH = 256,
	OPT_FOLLOW_INTERVAL,
	OPT_FORCE,
	OPT_KEEP,
	OPT_ALL_BLOCKS,
	OPT_LATENCY,
	OPT_MAX_SIZE,
	OPT_MIN_SIZE,
	OPT_MODEL_CACHES,
	OPT_NO_FAULTS,
	OPT_NO_KERNEL,
	OPT_NO_SOURCE,
	OPT_NO_TRACK,
	OPT_WRAPPER,
	OPT_PERF,
	OPT_RAW,
	OPT_SAMPLER,
	OPT_SAMPLE_SMALL,
	OPT_TRACE,
	OPT_TRACKER,
	OPT_WAIT,
};

#define SAMPLER_WORD(NAME, name, pmu) #name ", "

static const struct argp_option options[] = {
	{ "output", 'o', "FILE", 0, "database to write (default: run.db)", 1 },
	{ "raw", OPT_RAW, "DIR", 0,
	  "only record, into the new directory DIR; `memdb import DIR` makes the database", 1 },
	{ "force", OPT_FORCE, NULL, 0,
	  "replace an old capture at DIR, or FILE even if it is not a memdb "
	  "database or is read-only",
	  1 },
	{ "keep", OPT_KEEP, NULL, 0, "keep the capture directory next to the database", 1 },
	{ "max-size", OPT_MAX_SIZE, "BYTES[:all]", 0,
	  "end the capture when it takes this much disk space (suffixes k, "
	  "M, G); the program runs on, and what was recorded until then is "
	  "kept (default: no limit). With :all, keep fewer and fewer samples, "
	  "page faults and small blocks of all of the program's time (not "
	  "with --trace)",
	  1 },
	{ "all-blocks", OPT_ALL_BLOCKS, NULL, 0, "as in `memdb import`", 1 },
	{ "no-source", OPT_NO_SOURCE, NULL, 0,
	  "do not store the text of source lines in the database", 1 },
	{ "wrapper", OPT_WRAPPER, "FUNCTION", 0, "as in `memdb import`", 1 },

	{ "sampler", OPT_SAMPLER, "NAME", 0,
	  SAMPLERS_OF(SAMPLER_WORD) "or auto (default: auto; see `memdb doctor`); exact runs the "
				    "program in an emulator and sees every access",
	  2 },
	{ "freq", 'F', "N", 0, "samples per second and thread (default: 1000)", 2 },
	{ "count", 'c', "N", 0,
	  "events between two samples; timer: ns of thread time; exact, soft: accesses (1 counts "
	  "all)",
	  2 },
	{ "ldlat", OPT_LATENCY, "CYCLES", 0,
	  "pebs, spe: do not record loads with a lower latency (default: 30; "
	  "at most 65535)",
	  2 },
	{ "model-caches", OPT_MODEL_CACHES, "L1,L2,L3", OPTION_ARG_OPTIONAL,
	  "exact, soft: simulate three levels of caches of these sizes for "
	  "each access (default: this machine's)",
	  2 },
	{ "call-graph", OPT_CALL_GRAPH, "KIND", 0, "fp, dwarf, lbr or none (default: fp)", 2 },
	{ "no-faults", OPT_NO_FAULTS, NULL, 0, "do not record page faults (first touches)", 2 },
	{ "trace", OPT_TRACE, "GROUPS", 0,
	  "also record tracepoints: sched (threads that move), migrate "
	  "(pages that move), faults; separate several by commas; needs root",
	  2 },
	{ "no-kernel", OPT_NO_KERNEL, NULL, 0, "do not sample kernel mode", 2 },

	{ "min-size", OPT_MIN_SIZE, "BYTES", 0,
	  "do not track smaller heap blocks (default: 0; suffixes k, M, G)", 3 },
	{ "sample-small", OPT_SAMPLE_SMALL, "N[:BYTES]", 0,
	  "track only one in N of the heap blocks below BYTES (default: "
	  "4096), and estimate their numbers",
	  3 },
	{ "no-track", OPT_NO_TRACK, NULL, 0, "do not preload the allocation tracker", 3 },
	{ "follow-interval", OPT_FOLLOW_INTERVAL, "SECONDS", 0,
	  "time between two looks at threads and at the nodes of pages "
	  "(default: 1; 0: no looks)",
	  3 },
	{ "wait", OPT_WAIT, NULL, 0,
	  "record until background processes of the program have ended, too", 3 },

	{ "perf", OPT_PERF, "PATH", 0, "the perf to run (default: the one in PATH)", 4 },
	{ "tracker", OPT_TRACKER, "PATH", 0, "the tracker library to preload", 4 },
	{ "verbose", 'v', NULL, 0, "print perf's command line and the cost of recording", 5 },
	{ "quiet", 'q', NULL, 0, "print only errors and losses", 5 },
	{ 0 },
};

struct arguments {
	struct session_options o;
	const char *output;
	struct words wrappers;
	bool keep, all_blocks, no_source;
	bool has_output;
	bool given[OPT_WAIT + 1]; /* indexed by the option's key: whether it is on the command
				   * line */
};

/* Options that have an effect only if perf (OF_PERF) or the allocation tracker (OF_TRACKER)
 * records. */
static const struct {
	int key;
	enum { OF_PERF, OF_TRACKER } of;
} parts_of[] = {
	{ OPT_CALL_GRAPH, OF_PERF },      { OPT_TRACE, OF_PERF },
	{ OPT_NO_KERNEL, OF_PERF },       { OPT_PERF, OF_PERF },
	{ OPT_MAX_SIZE, OF_PERF },        { OPT_MIN_SIZE, OF_TRACKER },
	{ OPT_SAMPLE_SMALL, OF_TRACKER }, { OPT_TRACKER, OF_TRACKER },
	{ OPT_ALL_BLOCKS, OF_TRACKER },   { OPT_WRAPPER, OF_TRACKER },
};

/* Parses the argument of --sample-small: N or N:BYTES. */
static void parse_sample_small(struct argp_state *state, const char *arg, struct session_options *o)
{
	char *colon = strchr(arg, ':');
	char every[24];

	snprintf(every, sizeof(every), "%.*s", (int)(colon ? colon - arg : 23), arg);
	o->sample_every = cmd_number(state, "--sample-small", every,
				     &(struct cmd_range){ 1, TRACK_SAMPLE_MOST, false });
	if (colon)
		o->sample_bytes = cmd_number(state, "--sample-small BYTES", colon + 1,
					     &(struct cmd_range){ 1, MOST_BYTES, true });
}

/* Parses the argument of --max-size: BYTES or BYTES:all. */
static void parse_max_size(struct argp_state *state, const char *arg, struct session_options *o)
{
	const char *colon = strchr(arg, ':');
	char bytes[24];

	snprintf(bytes, sizeof(bytes), "%.*s", (int)(colon ? colon - arg : 23), arg);
	o->max_bytes =
		cmd_number(state, "--max-size", bytes, &(struct cmd_range){ 1, MOST_BYTES, true });
	o->keep_all = colon;
	if (colon && strcmp(colon, ":all") != 0)
		argp_error(state, "--max-size: '%s' is not BYTES or BYTES:all", arg);
}

/* Parses a list of cache sizes, the first-level cache first. Levels that the list does not give
 * have the sizes of this machine's caches. */
static void parse_caches(struct argp_state *state, const char *arg, struct sampling *o)
{
	static const struct cmd_range range = { 4 << 10, UINT64_C(1) << 40, true };
	char size[32];

	o->model = true;
	for (int i = 0; arg && i < MACHINE_CACHES; i++) {
		size_t n = strcspn(arg, ",");

		snprintf(size, sizeof(size), "%.*s", (int)n, arg);
		o->caches[i] = cmd_number(state, "--model-caches", size, &range);
		if (i && o->caches[i] < o->caches[i - 1])
			cmd_misused(state,
				    "--model-caches: level %d is smaller than the one before",
				    i + 1);
		arg = arg[n] ? arg + n + 1 : NULL;
	}
	if (arg)
		cmd_misused(state, "--model-caches: more than %d sizes", MACHINE_CACHES);
}

static uint64_t parse_seconds(struct argp_state *state, const char *s)
{
	char *end;
	double v = strtod(s, &end);

	if (end == s || *end)
		cmd_misused(state, "--follow-interval: '%s' is no number of seconds", s);
	if (v != 0 && !(v >= 0.01 && v <= 86400))
		cmd_misused(state, "--follow-interval: '%s' is neither 0 nor from 0.01 to 86400",
			    s);
	return (uint64_t)(v * 1e9);
}

static int parse_sampling(int key, char *arg, struct argp_state *state, struct session_options *o)
{
	struct md_err err;
	int graph;

	switch (key) {
	case OPT_SAMPLER:
		o->sampler = sampler_by_name(arg);
		if (o->sampler == SAMPLERS)
			cmd_misused(state, "--sampler: there is no sampler '%s'", arg);
		return 0;
	case 'F':
		o->sampling.frequency =
			cmd_number(state, "-F", arg,
				   &(struct cmd_range){ 1, MOST_PER_SECOND, false });
		return 0;
	case 'c':
		o->sampling.period =
			cmd_number(state, "-c", arg, &(struct cmd_range){ 1, INT64_MAX, false });
		return 0;
	case OPT_LATENCY:
		o->sampling.latency_given = true;
		o->sampling.latency =
			(unsigned)cmd_number(state, "--ldlat", arg,
					     &(struct cmd_range){ 0, UINT16_MAX, false });
		return 0;
	case OPT_MODEL_CACHES:
		parse_caches(state, arg, &o->sampling);
		return 0;
	case OPT_CALL_GRAPH:
		graph = call_graph_by_name(arg);
		if (graph < 0)
			cmd_misused(state, "--call-graph: there is no kind '%s'", arg);
		o->call_graph = (enum call_graph)graph;
		return 0;
	case OPT_TRACE:
		if (trace_parse(arg, &o->trace, &err))
			cmd_misused(state, "--trace: %s", err.msg);
		return 0;
	case OPT_NO_FAULTS:
		o->sampling.faults = false;
		return 0;
	case OPT_NO_KERNEL:
		o->sampling.kernel = false;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const char *name_of(int key)
{
	for (const struct argp_option *o = options; o->name; o++)
		if (o->key == key)
			return o->name;
	return "";
}

/* Refuses options that would have no effect, because of the chosen sampler or because the tracker
 * does not run. */
static void check_parts(struct argp_state *state, const struct arguments *a)
{
	const enum sampler s = a->o.sampler;
	const bool perf = s == SAMPLER_AUTO || sampler_kind(s)->run == RUN_PERF;

	for (size_t i = 0; i < COUNT_OF(parts_of); i++) {
		const char *name = name_of(parts_of[i].key);

		if (!a->given[parts_of[i].key])
			continue;
		if (parts_of[i].of == OF_PERF && !perf)
			cmd_misused(state, "--%s is for perf, which the sampler %s does not use",
				    name, sampler_name(s));
		if (parts_of[i].of == OF_TRACKER && !a->o.track)
			cmd_misused(state, "--%s is for the tracker: --no-track leaves it out",
				    name);
	}
}

static void check_together(struct argp_state *state, const struct arguments *a)
{
	check_parts(state, a);
	if (!a->o.argv)
		cmd_misused(state, "which program? for example: memdb record ./app");
	if (a->o.sampling.period && a->o.sampling.frequency)
		cmd_misused(state, "-F and -c exclude each other");
	if (a->o.keep_all && a->o.trace)
		cmd_misused(state, "--max-size BYTES:all would remove events of --trace: use "
				   "--max-size BYTES, which ends the recording");
	cmd_check_stdout(state, a->o.raw ? a->o.raw : a->output);
	if (a->o.raw && (a->has_output || a->keep))
		cmd_misused(state, "--raw makes no database: give no -o and no --keep with it");
	if (a->o.raw && (a->all_blocks || a->no_source || a->wrappers.n))
		cmd_misused(state, "--raw makes no database: give --all-blocks, --no-source and "
				   "--wrapper to `memdb import`");
}

/* Parses the options about tracking, following and the programs to use. Returns what an argp parser
 * returns. */
static int parse_tracking(int key, char *arg, struct argp_state *state, struct session_options *o)
{
	switch (key) {
	case OPT_MIN_SIZE:
		o->min_size = cmd_number(state, "--min-size", arg,
					 &(struct cmd_range){ 0, MOST_BYTES, true });
		return 0;
	case OPT_SAMPLE_SMALL:
		parse_sample_small(state, arg, o);
		return 0;
	case OPT_NO_TRACK:
		o->track = false;
		return 0;
	case OPT_FOLLOW_INTERVAL:
		o->follow_interval_ns = parse_seconds(state, arg);
		return 0;
	case OPT_WAIT:
		o->wait_all = true;
		return 0;
	case OPT_PERF:
		o->perf = arg;
		return 0;
	case OPT_TRACKER:
		o->library = arg;
		return 0;
	default:
		return parse_sampling(key, arg, state, o);
	}
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *a = state->input;
	struct session_options *o = &a->o;

	if (key > 0 && (size_t)key < COUNT_OF(a->given))
		a->given[key] = true;
	switch (key) {
	case 'o':
		a->output = arg;
		a->has_output = true;
		return 0;
	case OPT_RAW:
		o->raw = arg;
		return 0;
	case OPT_FORCE:
		o->force = true;
		return 0;
	case OPT_KEEP:
		a->keep = true;
		return 0;
	case OPT_MAX_SIZE:
		parse_max_size(state, arg, o);
		return 0;
	case OPT_ALL_BLOCKS:
		a->all_blocks = true;
		return 0;
	case OPT_NO_SOURCE:
		a->no_source = true;
		return 0;
	case OPT_WRAPPER:
		words_add(&a->wrappers, arg);
		return 0;
	case 'v':
		o->verbosity = 1;
		return 0;
	case 'q':
		o->verbosity = -1;
		return 0;
	case ARGP_KEY_ARG: /* the program: what follows are its arguments, even if they look like
			      options */
		o->argv = &state->argv[state->next - 1];
		state->next = state->argc;
		return 0;
	case ARGP_KEY_END:
		check_together(state, a);
		return 0;
	default:
		return parse_tracking(key, arg, state, o);
	}
}

static int exit_code_of_failure(const struct session *s, const struct md_err *err)
{
	cmd_report_error(&cmd_record, err);
	if (s->program_failed)
		return err->code == MD_ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_EXECUTABLE;
	return err->code == MD_EUSAGE ? EXIT_BAD_USAGE : EXIT_RECORD_FAILED;
}

/* Returns the program's own exit code; 125 if memdb did not see how it ended. */
static int exit_code_of_program(const struct session *s)
{
	return s->result.ended ? launch_exit_code(s->result.end.code) : EXIT_RECORD_FAILED;
}

/*
 * Imports the capture of this session into the database. Returns 0, or EXIT_RECORD_FAILED: then the
 * capture is kept and its path printed.
 */
static int import_capture(const struct arguments *a, struct session *s)
{
	struct import_options o = {
		.input = s->capture.dir,
		.output = a->output,
		.progress = a->o.verbosity >= 0,
		.timing = a->o.verbosity > 0,
		.force = a->o.force,
		.no_source = a->no_source,
		.wrappers = a->wrappers.v,
		.own = true,
		.keep_bytes = a->all_blocks ? 0 : IMPORT_KEEP_BYTES,
		/* stop_on_signals() also unblocks its signals, which were blocked during the
		 * recording */
		.stop = stop_on_signals(),
	};
	struct import_result r = { 0 };
	struct md_err err = { 0 };
	unsigned uid, gid;

	if (import_run(&o, &r, &err)) {
		cmd_report_error(&cmd_record, &err);
		fputs("memdb record: what was captured is kept: memdb import -o ", stderr);
		escape_shell(a->output, stderr);
		putc(' ', stderr);
		escape_shell(s->capture.dir, stderr);
		putc('\n', stderr);
		return EXIT_RECORD_FAILED;
	}
	if (owner_sudo_caller(&uid, &gid) && lchown(a->output, uid, gid))
		session_warn(s, "cannot give '%s' to user %u: %s", a->output, uid, strerror(errno));
	if (!a->keep && capture_remove(&s->capture, &err))
		session_warn(s, "%s", err.msg);
	if (a->keep && a->o.verbosity >= 0)
		escape_say("memdb record: the capture is kept in '%s'", s->capture.dir);
	if (a->o.verbosity < 0)
		/* the summary, which is not printed here, would contain them */
		cmd_report_losses(&r);
	else if (report_summary(a->output, NULL, NULL, stderr, &err))
		session_warn(s, "no summary: %s", err.msg);
	return 0;
}

static const struct argp argp = {
	.options = options,
	.parser = parse,
	.args_doc = "[--] PROGRAM [ARG...]",
	.doc = "Records a program's memory accesses, allocations and page homes, "
	       "and makes a database of them.\vThe exit code is the program's, or "
	       "128 + N for signal N; 125: recording failed, 126: the program "
	       "cannot be executed, 127: there is no such program.\n\nCtrl-C is "
	       "passed to the program; what was recorded until its end is "
	       "imported.",
};

static int run(int argc, char **argv)
{
	struct arguments a = {
		.output = "run.db",
		.o = { .sampler = SAMPLER_AUTO,
		       .sampling = SAMPLING_DEFAULT,
		       .track = true,
		       .follow_interval_ns = 1000000000 },
	};
	struct session s = { 0 };
	struct md_err err;
	int ret;

	cmd_parse(&argp, argc, argv, ARGP_IN_ORDER, &a);
	a.o.output = a.o.raw ? NULL : a.output;
	ret = a.wrappers.failed ? md_nomem(&err) : session_init(&s, &a.o, &err);
	if (!ret)
		ret = session_run(&s, &err);
	if (ret) {
		ret = exit_code_of_failure(&s, &err);
		goto out;
	}
	if (a.o.raw && a.o.verbosity >= 0)
		escape_say("memdb record: captured into '%s'", a.o.raw);
	if (!a.o.raw)
		ret = import_capture(&a, &s);
	if (!ret)
		ret = exit_code_of_program(&s);
out:
	session_release(&s);
	words_release(&a.wrappers);
	return ret;
}

const struct cmd cmd_record = {
	.name = "record",
	.summary = "run a program and record its memory accesses into a database",
	.argp = &argp,
	.run = run,
};

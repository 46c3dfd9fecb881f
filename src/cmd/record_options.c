/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/record_options.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "cmd/cmd.h"
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

_Static_assert((int)OPT_WAIT < (int)RECORD_KEYS, "`given` has an entry for each option");

#define SAMPLER_WORD(NAME, name, pmu, run) #name ", "

const struct argp_option record_options[] = {
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

#define MEMBER(name) offsetof(struct record_arguments, name)

/* Options without a value: the member that they set. */
static const struct {
	int key;
	size_t member;
	bool value;
} flags[] = {
	{ OPT_FORCE, MEMBER(o.force), true },
	{ OPT_KEEP, MEMBER(keep), true },
	{ OPT_ALL_BLOCKS, MEMBER(all_blocks), true },
	{ OPT_NO_SOURCE, MEMBER(no_source), true },
	{ OPT_NO_TRACK, MEMBER(o.track), false },
	{ OPT_NO_FAULTS, MEMBER(o.sampling.faults), false },
	{ OPT_NO_KERNEL, MEMBER(o.sampling.kernel), false },
	{ OPT_WAIT, MEMBER(o.wait_all), true },
};

/* Options whose value is stored as it is. */
static const struct {
	int key;
	size_t member;
} texts[] = {
	{ 'o', MEMBER(output) },
	{ OPT_RAW, MEMBER(o.raw) },
	{ OPT_PERF, MEMBER(o.perf) },
	{ OPT_TRACKER, MEMBER(o.library) },
};

/* Parses a number without a suffix. */
static uint64_t parse_number(struct argp_state *state, const char *option, const char *text,
			     uint64_t least, uint64_t most)
{
	return cmd_number(state, option, text, &(struct cmd_range){ least, most, false });
}

/* Parses the argument of --sample-small: N or N:BYTES. */
static void parse_sample_small(struct argp_state *state, const char *arg, struct session_options *o)
{
	char *colon = strchr(arg, ':');
	char every[24];

	snprintf(every, sizeof(every), "%.*s", (int)(colon ? colon - arg : 23), arg);
	o->sample_every = parse_number(state, "--sample-small", every, 1, TRACK_SAMPLE_MOST);
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

/* Parses the options about sampling that have a value. Returns what an argp parser returns. */
static error_t parse_sampling(int key, char *arg, struct argp_state *state,
			      struct session_options *o)
{
	struct md_err err;
	int graph;

	switch (key) {
	case OPT_SAMPLER:
		if (o->sampler != SAMPLER_AUTO && o->sampler != sampler_by_name(arg))
			cmd_misused(state, "--sampler: only one sampler can be used, not %s and %s",
				    sampler_name(o->sampler), arg);
		o->sampler = sampler_by_name(arg);
		if (o->sampler == SAMPLERS)
			cmd_misused(state,
				    "--sampler: there is no sampler '%s': " SAMPLERS_OF(
					    SAMPLER_WORD) "or auto; `memdb doctor` says which work "
							  "here",
				    arg);
		return 0;
	case 'F':
		o->sampling.frequency = parse_number(state, "-F", arg, 1, MOST_PER_SECOND);
		return 0;
	case 'c':
		o->sampling.period = parse_number(state, "-c", arg, 1, INT64_MAX);
		return 0;
	case OPT_LATENCY:
		o->sampling.latency_given = true;
		o->sampling.latency = (unsigned)parse_number(state, "--ldlat", arg, 0, UINT16_MAX);
		return 0;
	case OPT_MODEL_CACHES:
		parse_caches(state, arg, &o->sampling);
		return 0;
	case OPT_CALL_GRAPH:
		graph = call_graph_by_name(arg);
		if (graph < 0)
			cmd_misused(state,
				    "--call-graph: there is no kind '%s': fp, dwarf, lbr or none",
				    arg);
		o->call_graph = (enum call_graph)graph;
		return 0;
	case OPT_TRACE:
		if (trace_parse(arg, &o->trace, &err))
			cmd_misused(state, "--trace: %s", err.msg);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const char *name_of(int key)
{
	for (const struct argp_option *o = record_options; o->name; o++)
		if (o->key == key)
			return o->name;
	return "";
}

/* Refuses options that would have no effect, because of the chosen sampler or because the tracker
 * does not run. */
static void check_parts(struct argp_state *state, const struct record_arguments *a)
{
	const enum sampler s = a->o.sampler;
	const bool perf = sampler_run(s) == RUN_PERF;

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

static void check_together(struct argp_state *state, const struct record_arguments *a)
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
	if (a->o.raw && (a->given['o'] || a->keep))
		cmd_misused(state, "--raw makes no database: give no -o and no --keep with it");
	if (a->o.raw && (a->all_blocks || a->no_source || a->wrappers.n))
		cmd_misused(state, "--raw makes no database: give --all-blocks, --no-source and "
				   "--wrapper to `memdb import`");
}

/* Stores an option that needs no parsing. Returns false for any other option. */
static bool store_plain(int key, const char *arg, struct record_arguments *a)
{
	for (size_t i = 0; i < COUNT_OF(flags); i++) {
		if (flags[i].key == key) {
			*(bool *)((char *)a + flags[i].member) = flags[i].value;
			return true;
		}
	}
	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		if (texts[i].key == key) {
			*(const char **)((char *)a + texts[i].member) = arg;
			return true;
		}
	}
	return false;
}

/* Parses the options that store_plain() does not store, and the program's command line. Returns
 * what an argp parser returns. */
static error_t parse_value(int key, char *arg, struct argp_state *state, struct record_arguments *a)
{
	struct session_options *o = &a->o;

	switch (key) {
	case OPT_MAX_SIZE:
		parse_max_size(state, arg, o);
		return 0;
	case OPT_WRAPPER:
		words_add(&a->wrappers, arg);
		return 0;
	case OPT_MIN_SIZE:
		o->min_size = cmd_number(state, "--min-size", arg,
					 &(struct cmd_range){ 0, MOST_BYTES, true });
		return 0;
	case OPT_SAMPLE_SMALL:
		parse_sample_small(state, arg, o);
		return 0;
	case OPT_FOLLOW_INTERVAL:
		o->follow_interval_ns = parse_seconds(state, arg);
		return 0;
	case 'v':
	case 'q':
		o->verbosity = key == 'v' ? 1 : -1;
		return 0;
	case ARGP_KEY_ARG: /* the program: what follows are its arguments, even if they look like
			      options */
		o->argv = &state->argv[state->next - 1];
		state->next = state->argc;
		return 0;
	default:
		return parse_sampling(key, arg, state, o);
	}
}

error_t record_parse(int key, char *arg, struct argp_state *state)
{
	struct record_arguments *a = state->input;

	cmd_check_value(key, arg, state);
	if (key > 0 && key < RECORD_KEYS)
		a->given[key] = true;
	if (key == ARGP_KEY_END) {
		check_together(state, a);
		return 0;
	}
	return store_plain(key, arg, a) ? 0 : parse_value(key, arg, state, a);
}

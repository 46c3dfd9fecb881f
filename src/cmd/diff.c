/* SPDX-License-Identifier: GPL-2.0-or-later */
/* memdb diff: prints what changed from one recording to another. */
#include "cmd/cmd.h"

#include <argp.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/count.h"
#include "base/escape.h"
#include "cmd/shown.h"
#include "html/html.h"
#include "report/diff.h"

/* The command line; `o` has the paths of the databases. */
struct arguments {
	struct diff_options o;
	const char *html; /* path of the HTML page to write; NULL means that no page is written */
	bool force, has_format;
	bool prints; /* text is printed, so the pager is started */
};

enum { OPT_NOISE = 256, OPT_HTML, OPT_FORCE };

static const struct argp_option options[] = {
	{ "format", 'f', "FORMAT", 0, PRINT_FORMATS " (default: table)", 0 },
	{ "noise", OPT_NOISE, "PERCENT", 0,
	  "by how much a value of two runs of the same program may differ "
	  "(default: 20, and up to 50 if other threads used the CPUs, too; 0 "
	  "if both runs counted every access); to "
	  "find out, compare two runs of the program before the change",
	  0 },
	{ "html", OPT_HTML, "FILE", 0,
	  "write one HTML file with all changes, for any browser; it does "
	  "not use the network",
	  0 },
	{ "force", OPT_FORCE, NULL, 0, "replace FILE even if it is not such a page or is read-only",
	  0 },
	{ 0 },
};

static void check_together(const struct arguments *a, struct argp_state *state)
{
	if (a->html && a->has_format)
		cmd_misused(state, "--html and --format exclude each other");
	if (a->force && !a->html)
		cmd_misused(state, "--force is for the FILE of --html");
	if (a->html)
		cmd_check_stdout(state, a->html);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *a = state->input;
	struct diff_options *o = &a->o;
	char *end;

	cmd_check_value(key, arg, state);
	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &a->prints;
		return 0;
	case OPT_HTML:
		a->html = arg;
		a->prints = false;
		return 0;
	case OPT_FORCE:
		a->force = true;
		return 0;
	case 'f':
		a->has_format = true;
		o->format = (enum print_format)cmd_parse_format(arg, state);
		return 0;
	case OPT_NOISE:
		o->noise = strtod(arg, &end);
		if (end == arg || *end || !(o->noise >= 0 && o->noise <= 100))
			cmd_misused(state, "--noise: '%s' is not a number from 0 to 100", arg);
		return 0;
	case ARGP_KEY_ARG:
		if (state->arg_num >= COUNT_OF(o->paths))
			cmd_misused(state, "at most %d runs before and after are compared",
				    DIFF_MOST_PAIRS);
		o->paths[state->arg_num] = arg;
		return 0;
	case ARGP_KEY_END:
		if (state->arg_num < 2)
			cmd_misused(state,
				    "which databases? for example: memdb diff before.db after.db");
		if (state->arg_num % 2)
			cmd_misused(state,
				    "as many runs after as before are compared, and these are %u: "
				    "for example memdb diff before1.db before2.db after1.db "
				    "after2.db",
				    state->arg_num);
		o->pairs = state->arg_num / 2;
		check_together(a, state);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_child children[] = { { &shown_argp, 0, NULL, 0 }, { 0 } };

static const struct argp argp = {
	.children = children,
	.options = options,
	.parser = parse,
	.args_doc = "BEFORE.db AFTER.db\nBEFORE.db... AFTER.db...",
	.doc = "Compare two runs, before and after a change of the program: wall "
	       "time, thread time, waits for memory, and the differences beyond "
	       "chance by thread, kind of time, object, member, function, line "
	       "and pair of nodes.\vOf several runs, first those before, then as many after "
	       "(memdb diff before?.db after?.db), the means are compared. Record them in turn, so "
	       "that "
	       "the machine is as busy for both. With three or more of "
	       "each, the totals are judged by how much the runs differ among each other (t "
	       "test), and wall time has a verdict, too. Times are sums over all threads. Objects "
	       "count as the same if name, kind and allocating function are the "
	       "same; threads, if their names are; lines, if function and text "
	       "are, so lines may move. A function whose parameters have changed counts as the "
	       "same if each run has one of its name. Heap objects that only one run names after "
	       "source text are matched by where they are allocated, if only one is "
	       "allocated there. The program may have another name. Runs "
	       "that measured no time (exact, soft) are compared by their counts "
	       "of accesses. A change is beyond chance if its 95 % interval does "
	       "not contain 0. If both runs counted every access (-c 1), each "
	       "difference is one of the runs. The interval is wider for time that depends on "
	       "which threads the scheduler runs at the same time (sharing, "
	       "spin), and the more so, the more that differs between the runs. It is wider, too, "
	       "where time counts as a wait in one run and as computing in the other, because "
	       "memdb decides for each run which accesses it expects in the cache. "
	       "The other formats also print rows within chance. On stderr, they say if both "
	       "databases are of one recording, if programs or commands differ, and if only one "
	       "run has source text.\n\nExit codes: 0 "
	       "the runs were compared, 1 they were not, or only by their totals, "
	       "because they count in different units, 2 the options are wrong.",
};

static int run(int argc, char **argv)
{
	struct arguments a = { .o = { .noise = -1, .format = PRINT_TABLE }, .prints = true };
	struct md_err err = { 0 };
	uint64_t bytes = 0;
	int ret;

	cmd_parse(&argp, argc, argv, 0, &a);
	if (!a.html)
		return cmd_end(&cmd_diff, diff_print(&a.o, stdout, &err), &err);
	ret = html_write_changes(&a.o, a.html, a.force, &bytes, &err);
	if (!ret)
		escape_say("memdb: wrote %s: %.1f MiB", a.html, (double)bytes / (1 << 20));
	return cmd_end(&cmd_diff, ret, &err);
}

const struct cmd cmd_diff = {
	.name = "diff",
	.summary = "say what changed from one recording to another",
	.argp = &argp,
	.run = run,
};

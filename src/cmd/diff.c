/* SPDX-License-Identifier: GPL-2.0-or-later */
/* memdb diff: prints what changed from one recording to another. */
#include "cmd/cmd.h"

#include <argp.h>
#include <stdlib.h>

#include "cmd/shown.h"
#include "report/diff.h"

enum { OPT_NOISE = 256 };

static const struct argp_option options[] = {
	{ "format", 'f', "FORMAT", 0, PRINT_FORMATS " (if not said: table)", 0 },
	{ "noise", OPT_NOISE, "PERCENT", 0,
	  "how much two runs of one program differ (if not said: 5); compare two runs before the "
	  "change to know",
	  0 },
	{ 0 },
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct diff_options *o = state->input;
	char *end;

	switch (key) {
	case 'f':
		o->format = (enum print_format)cmd_parse_format(arg, state);
		return 0;
	case OPT_NOISE:
		o->noise = strtod(arg, &end);
		if (end == arg || *end || !(o->noise >= 0 && o->noise <= 100))
			cmd_misused(state, "--noise: '%s' is not a number from 0 to 100", arg);
		return 0;
	case ARGP_KEY_ARG:
		if (state->arg_num > 1)
			cmd_misused(state, "two databases are compared: '%s' is a third one", arg);
		*(state->arg_num ? &o->after : &o->before) = arg;
		return 0;
	case ARGP_KEY_END:
		if (state->arg_num < 2)
			cmd_misused(state,
				    "which databases? for example: memdb diff before.db after.db");
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
	.args_doc = "BEFORE.db AFTER.db",
	.doc = "Say what a change of the program did: wall time, thread time, waits for memory, "
	       "and by thread, "
	       "kind of time, object, function and line what is beyond chance.\v"
	       "Times are sums over all threads. Objects are the same where name, kind and "
	       "allocating function "
	       "are; threads where their name is. Runs that measured no time (exact, soft) are "
	       "compared by their counts of accesses. The other formats print all rows, those "
	       "within chance too.\n\n"
	       "Exit codes: 0 the runs were compared, 1 they were not, or only by their totals, "
	       "because they count in different units, 2 the options make no sense.",
};

static int run(int argc, char **argv)
{
	struct diff_options o = { .noise = 5, .format = PRINT_TABLE };
	struct md_err err = { 0 };

	cmd_parse(&argp, argc, argv, 0, &o);
	return cmd_end(&cmd_diff, diff_print(&o, stdout, &err), &err);
}

const struct cmd cmd_diff = {
	.name = "diff",
	.summary = "say what changed from one recording to another",
	.argp = &argp,
	.run = run,
};

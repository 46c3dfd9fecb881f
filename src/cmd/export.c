/* SPDX-License-Identifier: GPL-2.0-or-later */
/* memdb export: costs of call paths for tools that draw flame graphs. */
#include "cmd/cmd.h"

#include <argp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "report/export.h"

struct export_args {
	const char *database;
	int format; /* -1: not said */
	bool by_object;
};

enum { OPT_TO = 256, OPT_BY };

static const struct argp_option options[] = {
	{ "to", OPT_TO, "FORMAT", 0, EXPORT_FORMATS, 0 },
	{ "by", OPT_BY, "WHAT", 0,
	  "wait: the call paths of the code that waits (if not said); object: those that allocated "
	  "what is waited for, and its name",
	  0 },
	{ 0 },
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct export_args *a = state->input;

	switch (key) {
	case OPT_TO:
		a->format = export_format_by_name(arg);
		if (a->format < 0)
			cmd_misused(state, "there is no format '%s': " EXPORT_FORMATS, arg);
		return 0;
	case OPT_BY:
		a->by_object = !strcmp(arg, "object");
		if (!a->by_object && strcmp(arg, "wait"))
			cmd_misused(state, "--by is wait or object, not '%s'", arg);
		return 0;
	case ARGP_KEY_ARG:
		cmd_parse_database(&a->database, arg, state);
		return 0;
	case ARGP_KEY_END:
		if (a->format < 0)
			cmd_misused(state, "to what? for example: memdb export --to speedscope "
					   "run.db >run.json");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = {
	.options = options,
	.parser = parse,
	.args_doc = "[DATABASE]",
	.doc = "Write what memory costs by call path, for tools that draw flame graphs (default: "
	       "run.db), to standard "
	       "output.\v"
	       "collapsed is for flamegraph.pl and inferno, speedscope for "
	       "https://www.speedscope.app. Costs are "
	       "nanoseconds of thread time that waited for memory (timer), or cycles.",
};

static int run(int argc, char **argv)
{
	struct export_args a = { .database = CMD_DATABASE, .format = -1 };
	struct md_err err = { 0 };

	cmd_parse(&argp, argc, argv, 0, &a);
	return cmd_end(&cmd_export,
		       export_write(a.database, (enum export_format)a.format, a.by_object, stdout,
				    &err),
		       &err);
}

const struct cmd cmd_export = {
	.name = "export",
	.summary = "write the cost of call paths for flame-graph tools",
	.run = run,
};

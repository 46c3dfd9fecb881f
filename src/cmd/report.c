/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/cmd.h"

#include <argp.h>
#include <stdlib.h>

#include "report/report.h"

static error_t parse(int key, char *arg, struct argp_state *state)
{
	const char **path = state->input;

	if (key != ARGP_KEY_ARG)
		return ARGP_ERR_UNKNOWN;
	if (state->arg_num)
		cmd_misused(state, "one database at a time: '%s' is a second one", arg);
	*path = arg;
	return 0;
}

static const struct argp argp = {
	.parser = parse,
	.args_doc = "[DATABASE]",
	.doc = "Print what a recording says in short: what ran, the objects and the source lines "
	       "that cost most, what is missing "
	       "(default: run.db).\v"
	       "`memdb query` lists the questions that can be asked further.",
};

static int run(int argc, char **argv)
{
	const char *path = "run.db";
	struct md_err err = { 0 };

	argp_err_exit_status = EXIT_BAD_USAGE;
	if (argp_parse(&argp, argc, argv, 0, NULL, &path))
		return EXIT_BAD_USAGE;
	return report_summary(path, stdout, &err) ? cmd_report_error(&cmd_report, &err) : EXIT_OK;
}

const struct cmd cmd_report = {
	.name = "report",
	.summary = "print the objects and lines of a database that cost most",
	.run = run,
};

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* memdb report: prints the summary of a recording, as text or as an HTML page. */
#include "cmd/cmd.h"

#include <argp.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "html/html.h"
#include "cmd/select.h"
#include "cmd/shown.h"
#include "report/report.h"

struct report_args {
	const char *database;
	const char *object; /* id or name of the only object to report on; NULL means the summary */
	const char *html;   /* path of the HTML page to write; NULL means none */
	const char *by;     /* how objects are grouped; NULL means by call path */
	bool force;
	struct selection samples;
	bool prints; /* the command prints text to read, so cmd/shown.h starts the pager */
};

enum { OPT_HTML = 256, OPT_FORCE, OPT_OBJECT, OPT_BY };

static const struct argp_option options[] = {
	{ "object", OPT_OBJECT, "ID|NAME", 0,
	  "print all about one object: what it is, which part each thread uses, lines, threads, "
	  "first touches",
	  0 },
	{ "by", OPT_BY, "GROUP", 0,
	  "one row for all objects of one site (name and place; default), type (of their "
	  "elements) or wrapper (function that allocates for others), or path: one for each call "
	  "path that allocates",
	  0 },
	{ "html", OPT_HTML, "FILE", 0,
	  "write one HTML file with pictures and their data, for any "
	  "browser; it does not use the network",
	  0 },
	{ "force", OPT_FORCE, NULL, 0, "replace FILE even if it is not such a page or is read-only",
	  0 },
	{ 0 },
};

static void check_together(const struct report_args *a, struct argp_state *state)
{
	if (a->html && a->object)
		cmd_misused(state, "--html and --object exclude each other: the page has all "
				   "objects, each with a place of its own");
	if (a->by && (a->html || a->object))
		cmd_misused(state, "--by groups the objects of the printed report; it does not go "
				   "with --html and --object");
	if (a->force && !a->html)
		cmd_misused(state, "--force is for the FILE of --html");
	if (a->html)
		cmd_check_stdout(state, a->html);
}

static const char *parse_group(const char *arg, struct argp_state *state)
{
	char groups[80] = "";
	size_t n = 0;

	for (size_t i = 0; report_groups[i]; i++) {
		if (!strcmp(report_groups[i], arg))
			return arg;
		n += (size_t)snprintf(groups + n, sizeof(groups) - n, "%s%s", i ? ", " : "",
				      report_groups[i]);
	}
	cmd_misused(state, "--by is one of %s; not '%s'", groups, arg);
	return NULL;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct report_args *a = state->input;

	cmd_check_value(key, arg, state);
	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &a->samples;
		state->child_inputs[1] = &a->prints;
		return 0;
	case OPT_OBJECT:
		a->object = arg;
		return 0;
	case OPT_HTML:
		a->html = arg;
		a->prints = false;
		return 0;
	case OPT_BY:
		a->by = parse_group(arg, state);
		return 0;
	case OPT_FORCE:
		a->force = true;
		return 0;
	case ARGP_KEY_ARG:
		cmd_parse_database(&a->database, arg, state);
		return 0;
	case ARGP_KEY_END:
		check_together(a, state);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_child children[] = { { &select_argp, 0, NULL, 0 },
					      { &shown_argp, 0, NULL, 0 },
					      { 0 } };

static const struct argp argp = {
	.children = children,
	.options = options,
	.parser = parse,
	.args_doc = "[DATABASE]",
	.doc = "Print a summary of a recording (default: run.db): what ran, the "
	       "objects and source lines with the highest cost, and what is "
	       "missing.\vTables leave out columns for which there is no room: "
	       "`COLUMNS=200 memdb report | cat` shows all of them. `memdb query` lists "
	       "further queries.",
};

static int write_html(const struct report_args *a, struct md_err *err)
{
	struct html_result r;
	int ret = html_write(a->database, &a->samples, a->html, a->force, &r, err);

	if (!ret)
		escape_say("memdb: wrote %s: %.1f MiB, %" PRIu64 " of %" PRIu64 " points", a->html,
			   (double)r.bytes / (1 << 20), r.kept, r.rows);
	return ret;
}

static int run(int argc, char **argv)
{
	struct report_args a = { .prints = true };
	struct md_err err = { 0 };
	int ret;

	cmd_parse(&argp, argc, argv, 0, &a);
	if (!a.database)
		a.database = CMD_DATABASE;
	if (a.html)
		ret = write_html(&a, &err);
	else if (a.object)
		ret = report_object(a.database, &a.samples, a.object, stdout, &err);
	else
		ret = report_summary(a.database, &a.samples, a.by, stdout, &err);
	return cmd_end(&cmd_report, ret, &err);
}

const struct cmd cmd_report = {
	.name = "report",
	.summary = "print the objects and lines of a database that cost most",
	.argp = &argp,
	.run = run,
};

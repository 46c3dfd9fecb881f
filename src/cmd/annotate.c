/* SPDX-License-Identifier: GPL-2.0-or-later */
/* memdb annotate: prints source lines with their costs. */
#include "report/annotate.h"

#include <argp.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cmd/cmd.h"
#include "cmd/shown.h"

enum { OPT_OBJECT = 256, OPT_ASM, OPT_SOURCE_DIR, OPT_SUBSTITUTE };

static const struct argp_option options[] = {
	{ "object", OPT_OBJECT, "ID|NAME", 0, "only lines that access this object", 0 },
	{ "asm", OPT_ASM, NULL, 0,
	  "print instructions instead: \">\" marks those at which the program waited", 0 },
	{ "source-dir", OPT_SOURCE_DIR, "DIR", 0,
	  "look for sources below DIR first: by their whole paths, then without their first "
	  "folders",
	  0 },
	{ "substitute-path", OPT_SUBSTITUTE, "FROM=TO", 0,
	  "sources whose paths begin with FROM are at TO; may be given several times", 0 },
	{ 0 },
};

static bool is_database(const char *path)
{
	static const char magic[] = "SQLite format 3";
	char head[sizeof(magic)] = "";
	FILE *f = fopen(path, "re");
	size_t n = f ? fread(head, 1, sizeof(head), f) : 0;

	if (f)
		fclose(f);
	return n == sizeof(head) && !memcmp(head, magic, sizeof(head));
}

/*
 * Stores an argument of the command line. The first argument whose file is an SQLite database is
 * the database; the first other argument is the function or FILE[:LINE] to print. They may come in
 * any order. A further argument counts as a database, too.
 */
static void parse_word(char *arg, struct annotate_options *o, struct argp_state *state)
{
	if (!o->database && is_database(arg))
		o->database = arg;
	else if (!o->place)
		o->place = arg;
	else
		cmd_parse_database(&o->database, arg, state);
}

static void parse_substitute(char *arg, struct source_paths *p, struct argp_state *state)
{
	const char *to = strchr(arg, '=');

	if (!to || to == arg)
		cmd_misused(state, "--substitute-path is FROM=TO, not '%s'", arg);
	if (p->nsubstitutes == MAX_SUBSTITUTES)
		cmd_misused(state, "no more than %d --substitute-path", MAX_SUBSTITUTES);
	if (to[1]) /* if TO is empty, FROM is only removed, and there is no folder to check */
		cmd_check_folder(state, "--substitute-path", to + 1);
	p->substitutes[p->nsubstitutes++] = arg;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct annotate_options *o = state->input;

	cmd_check_value(key, arg, state);
	switch (key) {
	case ARGP_KEY_INIT:
		/* child_inputs[0] is for the options of cmd/shown.h. NULL: this command always
		 * prints text to read */
		state->child_inputs[0] = NULL;
		return 0;
	case OPT_OBJECT:
		o->object = arg;
		return 0;
	case OPT_ASM:
		o->instructions = true;
		return 0;
	case OPT_SOURCE_DIR:
		cmd_check_folder(state, "--source-dir", arg);
		o->sources.dir = arg;
		return 0;
	case OPT_SUBSTITUTE:
		parse_substitute(arg, &o->sources, state);
		return 0;
	case ARGP_KEY_ARG:
		parse_word(arg, o, state);
		return 0;
	case ARGP_KEY_END:
		if (o->instructions && o->object)
			cmd_misused(state, "--asm goes by function or line, not by --object");
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
	.args_doc = "[FUNCTION|FILE[:LINE]] [DATABASE]",
	.doc = "Print source lines with their cost of memory, the pages that they "
	       "touched first, and after \"->\" the objects and members that they "
	       "access. Without FUNCTION or FILE, prints the functions with the "
	       "highest cost (default database: run.db).\vThe import stores the "
	       "text of lines with samples in the database. If the source file is "
	       "here and has not changed, the lines around them are shown, too. "
	       "The same as rows: SELECT * FROM annotated_lines.",
};

static int run(int argc, char **argv)
{
	struct annotate_options o = { 0 };
	struct md_err err = { 0 };

	cmd_parse(&argp, argc, argv, 0, &o);
	if (!o.database)
		o.database = CMD_DATABASE;
	return cmd_end(&cmd_annotate, report_annotate(&o, stdout, &err), &err);
}

const struct cmd cmd_annotate = {
	.name = "annotate",
	.summary = "print source lines with their cost of memory",
	.argp = &argp,
	.run = run,
};

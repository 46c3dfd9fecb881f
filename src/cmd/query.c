/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * memdb query: runs a canned query. The list of queries, their parameters and columns come from the
 * headers of the SQL files.
 */
#include "cmd/cmd.h"

#include <argp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/escape.h"
#include "cmd/select.h"
#include "cmd/shown.h"
#include "database/print.h"
#include "database/query.h"

struct query_args {
	const char *name;    /* NULL means that all queries are listed */
	const char *path;    /* NULL means CMD_DATABASE */
	const char **params; /* "name=value" */
	int nparams;
	enum print_format format;
	bool describe, sql, has_format;
	struct selection samples;
};

enum { OPT_SQL = 256 };

static const struct argp_option options[] = {
	{ "format", 'f', "FORMAT", 0, PRINT_FORMATS " (default: table)", 0 },
	{ "describe", 'd', NULL, 0, "print what the query's parameters and columns mean", 0 },
	{ "sql", OPT_SQL, NULL, 0, "print the statement, for memdb sql or the sqlite3 shell", 0 },
	{ 0 },
};

static void parse_word(char *arg, struct query_args *a, struct argp_state *state)
{
	if (!a->name)
		a->name = arg;
	else if (strchr(arg, '=') && *arg != '/' && *arg != '.')
		a->params[a->nparams++] = arg;
	else
		cmd_parse_database(&a->path, arg, state);
}

static void check_together(const struct query_args *a, struct argp_state *state)
{
	const bool selects = a->samples.has_from || a->samples.has_to || a->samples.function;

	if (!a->name && (a->describe || a->sql || a->has_format || selects))
		cmd_misused(state, "which query? `memdb query` lists them");
	if (a->describe && a->sql)
		cmd_misused(state, "--describe and --sql exclude each other");
	if (a->sql && selects)
		cmd_misused(state, "--sql prints the statement alone, which asks of all "
				   "samples: --from, --to and --in are not in it");
	if ((a->describe || a->sql) && a->has_format)
		cmd_misused(state, "--format is for rows: --%s prints none",
			    a->sql ? "sql" : "describe");
	if (a->describe && (selects || a->nparams))
		cmd_misused(state, "--describe says what can be asked: give it the name alone");
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct query_args *a = state->input;

	cmd_check_value(key, arg, state);
	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &a->samples;
		return 0;
	case 'f':
		a->has_format = true;
		a->format = (enum print_format)cmd_parse_format(arg, state);
		return 0;
	case 'd':
		a->describe = true;
		return 0;
	case OPT_SQL:
		a->sql = true;
		return 0;
	case ARGP_KEY_ARG:
		parse_word(arg, a, state);
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
	.args_doc = "[NAME [run.db] [PARAM=VALUE...]]",
	.doc = "Run a canned query and print its rows; without a NAME, list the "
	       "queries.\vA table is for people to read: it omits columns without "
	       "any value and shortens the middle of long texts (to 60 columns, "
	       "in the last column to 120; on a terminal so that the table fits, "
	       "but not below 30 and 60). The other formats have the complete "
	       "values.\n\nThe statement also runs in the sqlite3 shell: memdb "
	       "query --sql NAME PARAM=VALUE | memdb sql run.db\n\nExit codes: 0 "
	       "the rows were printed, 1 they were not, 2 there is no such query, "
	       "parameter or option.",
};

static void list_queries(void)
{
	size_t width = 0;

	for (const struct sql_file *q = sql_queries; q->name; q++)
		if (strlen(q->name) > width)
			width = strlen(q->name);
	for (const struct sql_file *q = sql_queries; q->name; q++) {
		const char *text;
		int n = query_header(q, "summary", 0, &text);

		printf("%-*s  %.*s\n", (int)width, q->name, n, text);
	}
}

/* A line "-- param: NAME DEFAULT MEANING" of a query's header (database/query.h). `preset` is the
 * DEFAULT. The three pointers point into the header, where no NUL ends the texts, so the struct
 * also has the lengths. If the DEFAULT is "-", the parameter has no default, and `preset` is
 * "(none)". */
struct param {
	const char *name, *preset, *meaning;
	int name_len, preset_len, meaning_len;
};

static bool get_param(const struct sql_file *q, int i, struct param *out)
{
	const char *text;
	int n = query_header(q, "param", i, &text);

	if (!n)
		return false;
	out->name = text;
	out->name_len = (int)strcspn(text, " ");
	out->preset = text + out->name_len + 1;
	out->preset_len = (int)strcspn(out->preset, " ");
	out->meaning = out->preset + out->preset_len + 1;
	out->meaning_len = n - (int)(out->meaning - text);
	if (!strncmp(out->preset, "- ", 2)) {
		out->preset = "(none)";
		out->preset_len = (int)strlen(out->preset);
	}
	return true;
}

static void describe_params(const struct sql_file *q)
{
	int name = (int)strlen("name"), preset = (int)strlen("default");
	struct param p;

	for (int i = 0; get_param(q, i, &p); i++) {
		name = p.name_len > name ? p.name_len : name;
		preset = p.preset_len > preset ? p.preset_len : preset;
	}
	if (get_param(q, 0, &p))
		printf("\nparameters\n  %-*s  %-*s  meaning\n", name, "name", preset, "default");
	for (int i = 0; get_param(q, i, &p); i++)
		printf("  %-*.*s  %-*.*s  %.*s\n", name, p.name_len, p.name, preset, p.preset_len,
		       p.preset, p.meaning_len, p.meaning);
}

static void describe_query(const struct sql_file *q)
{
	const char *text;
	int n = query_header(q, "summary", 0, &text);

	printf("%s: %.*s\n", q->name, n, text);
	describe_params(q);
	if (query_header(q, "column", 0, &text))
		puts("\ncolumns");
	for (int i = 0; (n = query_header(q, "column", i, &text)); i++)
		printf("  %.*s\n", n, text);
	printf("\nmemdb query %s [run.db]", q->name);
	for (int i = 0; query_header(q, "param", i, &text); i++)
		printf(" [%.*s=...]", (int)strcspn(text, " "), text);
	puts("");
}

/* Prints commands of the sqlite3 shell that set the parameters, then the SQL of the query. */
static int print_sql(const struct query_args *a, const struct sql_file *q, struct md_err *err)
{
	int ret = query_check(q, a->params, a->nparams, err);

	if (ret)
		return ret;
	if (a->nparams)
		puts(".parameter clear");
	for (int i = 0; i < a->nparams; i++) {
		const char *value = strchr(a->params[i], '=') + 1;

		printf(".parameter set :%.*s ", (int)(value - 1 - a->params[i]), a->params[i]);
		query_literal(value, stdout);
		putchar('\n');
	}
	fputs(q->text, stdout);
	return 0;
}

static bool is_file(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode) && !access(path, R_OK);
}

/* Reports that the user gave a file where the name of a query belongs. */
static int name_is_file(const struct query_args *a, struct md_err *err)
{
	if (a->path && query_find(a->path))
		return md_fail(err, MD_EUSAGE, "the query's name comes first: memdb query %s '%s'",
			       a->path, a->name);
	return md_fail(err, MD_EUSAGE,
		       "'%s' is a file, no query: which one? As: memdb query costs '%s' "
		       "(`memdb query` lists them)",
		       a->name, a->name);
}

static int no_such_query(const struct query_args *a, struct md_err *err)
{
	const struct sql_file *near = query_suggest(a->name);

	if (is_file(a->name))
		return name_is_file(a, err);
	if (near)
		return md_fail(err, MD_EUSAGE, "there is no query '%s'; did you mean '%s'?",
			       a->name, near->name);
	return md_fail(err, MD_EUSAGE, "there is no query '%s'; `memdb query` lists them", a->name);
}

/* If a query has no rows, prints the reason on stderr: other programs read stdout, which must
 * contain only rows. */
static void say_no_rows(sqlite3 *db, const struct sql_file *q, int nparams)
{
	char reason[512];

	query_no_rows(db, q, nparams, reason, sizeof(reason));
	if (*reason)
		escape_say("memdb query: %s: no rows: %s", q->name, reason);
}

static int print_query(const struct query_args *a, const struct sql_file *q, struct md_err *err)
{
	sqlite3_stmt *st = NULL;
	char note[512] = "";
	uint64_t rows;
	sqlite3 *db;
	int ret = select_open(a->path ? a->path : CMD_DATABASE, &a->samples, &db, err);

	if (ret)
		return ret;
	select_sentence(db, note, sizeof(note));
	if (*note)
		escape_say("memdb query: %s", note);
	ret = query_prepare(db, q, a->params, a->nparams, &st, err);
	if (!ret)
		ret = query_note(db, q, a->params, a->nparams, note, sizeof(note), err);
	if (!ret && *note)
		escape_say("memdb query: %s", note);
	if (!ret) {
		ret = print_counted_rows(st, a->format, stdout, &rows, err);
		if (ret)
			md_wrap(err, "query '%s'", q->name);
		else if (!rows)
			say_no_rows(db, q, a->nparams);
	}
	sqlite3_finalize(st);
	sqlite3_close(db);
	return ret;
}

static int run(int argc, char **argv)
{
	struct query_args a = { .params = calloc((size_t)argc, sizeof(*a.params)) };
	const struct sql_file *q;
	struct md_err err = { 0 };
	int ret = 0;

	if (!a.params) {
		ret = md_nomem(&err);
		goto out;
	}
	cmd_parse(&argp, argc, argv, 0, &a);
	if (!a.name) {
		list_queries();
		goto out;
	}
	q = query_find(a.name);
	if (!q)
		ret = no_such_query(&a, &err);
	else if (a.describe)
		describe_query(q);
	else if (a.sql)
		ret = print_sql(&a, q, &err);
	else
		ret = print_query(&a, q, &err);
out:
	free(a.params);
	return cmd_end(&cmd_query, ret, &err);
}

const struct cmd cmd_query = {
	.name = "query",
	.summary = "run a canned query and print its rows",
	.argp = &argp,
	.run = run,
};

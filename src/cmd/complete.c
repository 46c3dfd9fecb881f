/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * memdb complete WORD...: prints the words that can take the place of the last WORD, one on each
 * line, for the completion in shells (tools/memdb.bash, tools/_memdb, tools/memdb.fish). The WORDs
 * are those after "memdb"; the last one is being typed and may be empty. Prints nothing where a
 * file's name is wanted, because the shell completes those itself.
 *
 * A shell may pass "--object=x" and "by=x" as one word, or as three ("--object", "=", "x").
 */
#include <argp.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/count.h"
#include "cmd/cmd.h"
#include "database/newfile.h"
#include "database/open.h"
#include "database/query.h"
#include "perfdata/samplers.h"
#include "report/report.h"

struct completion {
	char *const *words; /* words[0] is the command */
	int n;              /* number of words; the last one is being typed */
	/* the text to complete: the last word, or its part after the "=" of an option or a
	 * parameter */
	const char *typed;
	/* the text before `typed` in the last word, for example "--object="; each proposal repeats
	 * it */
	const char *prefix;
	int prefix_len;
};

static void propose_n(const struct completion *c, const char *word, size_t n)
{
	if (!strncmp(word, c->typed, strlen(c->typed)) && strlen(c->typed) <= n)
		printf("%.*s%.*s\n", c->prefix_len, c->prefix, (int)n, word);
}

static void propose(const struct completion *c, const char *word)
{
	propose_n(c, word, strlen(word));
}

/* Proposes the words in the first len bytes of `list`; blanks and commas separate them. */
static void propose_list(const struct completion *c, const char *list, size_t len)
{
	for (const char *end = list + len; list < end;) {
		size_t n = strcspn(list, ", \n");

		if (n > (size_t)(end - list))
			n = (size_t)(end - list);
		if (n)
			propose_n(c, list, n);
		list += n + 1;
	}
}

/* Returns the path of the database that the command line names: the first word whose file is a
 * database of memdb, otherwise CMD_DATABASE. */
static const char *database_of(const struct completion *c)
{
	for (int i = 1; i < c->n - 1; i++)
		if (newfile_is_database(c->words[i]))
			return c->words[i];
	return CMD_DATABASE;
}

static bool is_line(const char *s)
{
	while (*s && !iscntrl((unsigned char)*s))
		s++;
	return !*s;
}

/* Runs the SQL on the database and proposes the texts that it returns. Leaves out texts with
 * control characters, such as line breaks, because the shell reads one proposal per line. The shell
 * quotes the texts. */
static void propose_rows(const struct completion *c, const char *sql)
{
	sqlite3_stmt *st = NULL;
	sqlite3 *db = NULL;

	if (!db_open_readonly(database_of(c), &db, NULL) &&
	    !sqlite3_prepare_v2(db, sql, -1, &st, NULL))
		while (sqlite3_step(st) == SQLITE_ROW) {
			const char *s = (const char *)sqlite3_column_text(st, 0);

			if (s && *s && is_line(s))
				propose(c, s);
		}
	sqlite3_finalize(st);
	sqlite3_close(db);
}

static void propose_objects(const struct completion *c)
{
	propose_rows(c, "SELECT object FROM object_costs WHERE object_id IS NOT NULL GROUP BY "
			"object ORDER BY min(rank) LIMIT 500");
}

/* A function's name without its parameters, unless these are hard to find. */
#define PLAIN_NAME                                                                             \
	"iif(name GLOB '*[[<]*' OR name LIKE '%operator%' OR name LIKE '%(anonymous%', name, " \
	"substr(name, 1, instr(name || '(', '(') - 1))"

static void propose_functions(const struct completion *c)
{
	propose_rows(c, "SELECT " PLAIN_NAME " FROM (SELECT function AS name, samples FROM "
			"function_costs) GROUP BY 1 ORDER BY sum(samples) DESC LIMIT 500");
}

/* Proposes the functions that contain parallel regions instead of the regions, and also the
 * functions that only call others. */
static void propose_callers(const struct completion *c)
{
	propose_rows(c, "SELECT DISTINCT " PLAIN_NAME
			" FROM (SELECT coalesce(region_owner(function), function) AS name FROM ("
			"SELECT function, samples AS n FROM function_costs UNION ALL "
			"SELECT l.function, 0 FROM call_paths AS p JOIN location_frames AS l ON "
			"l.location_id = p.location_id WHERE p.kind IN ('user', 'inferred')) "
			"WHERE function IS NOT NULL GROUP BY 1 ORDER BY sum(n) DESC) LIMIT 500");
}

/* Proposes the names of the source files that have samples, without their folders. */
static void propose_files(const struct completion *c)
{
	propose_rows(c, "SELECT substr(file, length(rtrim(file, replace(file, '/', ''))) + 1) "
			"FROM line_costs GROUP BY 1 ORDER BY sum(samples) DESC LIMIT 500");
}

static void propose_groups(const struct completion *c)
{
	static const char *const of_export[] = { "wait", "object", NULL };
	const char *const *groups = strcmp(c->words[0], "export") ? report_groups : of_export;

	while (*groups)
		propose(c, *groups++);
}

#define SAMPLER_WORD(NAME, name, pmu, run) #name " "

/* The options whose values can be proposed. `list` has the values; if it is NULL, propose()
 * proposes them. */
static const struct {
	const char *option, *list;
	void (*propose)(const struct completion *c);
} values[] = {
	{ "--format", "table csv tsv json markdown", NULL },
	{ "-f", "table csv tsv json markdown", NULL },
	{ "--to", "collapsed speedscope firefox csv pprof parquet", NULL },
	{ "--color", "always never auto", NULL },
	{ "--sampler", SAMPLERS_OF(SAMPLER_WORD) "auto", NULL },
	{ "--call-graph", "fp dwarf lbr none", NULL },
	{ "--trace", "sched migrate faults", NULL },
	{ "--by", NULL, propose_groups },
	{ "--object", NULL, propose_objects },
	{ "--in", NULL, propose_callers },
};

/* Proposes the values of the option whose name has n bytes. Returns false if the option is not in
 * values[]. */
static bool propose_values(const struct completion *c, const char *option, size_t n)
{
	for (size_t i = 0; i < COUNT_OF(values); i++) {
		if (strlen(values[i].option) != n || strncmp(values[i].option, option, n))
			continue;
		if (values[i].list)
			propose_list(c, values[i].list, strlen(values[i].list));
		else
			values[i].propose(c);
		return true;
	}
	return false;
}

static void propose_options(const struct completion *c, const struct argp *argp)
{
	char word[80];

	for (const struct argp_option *o = argp->options; o && (o->name || o->key || o->doc); o++) {
		if (!o->name || o->flags & OPTION_HIDDEN)
			continue;
		snprintf(word, sizeof(word), "--%s", o->name);
		propose(c, word);
	}
	for (const struct argp_child *k = argp->children; k && k->argp; k++)
		propose_options(c, k->argp);
}

/* Finds the option that the word `--NAME` names, among those of a command. Returns NULL if there is
 * none. */
static const struct argp_option *find_option(const struct argp *argp, const char *word)
{
	const struct argp_option *found = NULL;

	for (const struct argp_option *o = argp->options; o && (o->name || o->key || o->doc); o++)
		if (o->name && !strncmp(word, "--", 2) && !strcmp(word + 2, o->name))
			return o;
	for (const struct argp_child *k = argp->children; k && k->argp && !found; k++)
		found = find_option(k->argp, word);
	return found;
}

/* Is word i the value of the option before it? */
static bool is_value(const struct completion *c, const struct argp *argp, int i)
{
	const struct argp_option *o = find_option(argp, c->words[i - 1]);

	return o && o->arg && !(o->flags & OPTION_ARG_OPTIONAL);
}

/* Proposes what annotate can print, unless a word before the last one names it already. */
static void complete_annotate(const struct completion *c)
{
	for (int i = 1; i < c->n; i++) {
		const bool value = is_value(c, cmd_annotate.argp, i);

		if (i == c->n - 1
			    ? value
			    : !value && c->words[i][0] != '-' && !newfile_is_database(c->words[i]))
			return;
	}
	propose_functions(c);
	propose_files(c);
}

/* Proposes values for the parameter `name` of the query q, as in "by=line". Names of objects and
 * functions come from the database; other values come from the header of the query. */
static void propose_parameter(const struct completion *c, const struct sql_file *q,
			      const char *name, size_t len)
{
	const char *text;

	if (len == strlen("object") && !strncmp(name, "object", len))
		propose_objects(c);
	if (len == strlen("function") && !strncmp(name, "function", len))
		propose_functions(c);
	for (int i = 0, n; q && (n = query_header(q, "values", i, &text)); i++)
		/* a parameter with a range, such as "1..100", has no list of values to propose */
		if (strcspn(text, " ") == len && !strncmp(text, name, len) &&
		    !isdigit((unsigned char)text[len + 1]))
			propose_list(c, text + len, (size_t)n - len);
}

static void propose_parameters(const struct completion *c, const struct sql_file *q)
{
	const char *text;
	char word[80];

	for (int i = 0; query_header(q, "param", i, &text); i++) {
		snprintf(word, sizeof(word), "%.*s=", (int)strcspn(text, " "), text);
		propose(c, word);
	}
}

static void complete_query(const struct completion *c)
{
	const struct sql_file *q = NULL;

	for (int i = 1; i < c->n - 1 && !q; i++)
		q = query_find(c->words[i]);
	if (q) {
		propose_parameters(c, q);
		return;
	}
	for (const struct sql_file *f = sql_queries; f->name; f++)
		propose(c, f->name);
}

/* Completes a value after "=". The len bytes at `name`, before the "=", are an option or a
 * parameter of a query. */
static void complete_value(struct completion *c, const char *name, size_t len)
{
	const struct sql_file *q = NULL;

	for (int i = 1; i < c->n - 1 && !q; i++)
		q = query_find(c->words[i]);
	if (!propose_values(c, name, len) && !strcmp(c->words[0], "query"))
		propose_parameter(c, q, name, len);
}

static void complete(struct completion *c, const struct cmd *command)
{
	const char *typed = c->typed, *sign = strchr(typed, '=');
	const char *before = c->n > 2 ? c->words[c->n - 2] : "";

	if (!strcmp(before, "=") || !strcmp(typed, "=")) {
		const char *name = c->words[c->n - (*typed == '=' ? 2 : 3)];

		c->typed += *typed == '=';
		complete_value(c, name, strlen(name));
	} else if (sign && sign > typed) {
		c->prefix = typed;
		c->prefix_len = (int)(sign + 1 - typed);
		c->typed = sign + 1;
		complete_value(c, typed, (size_t)(sign - typed));
	} else if (*typed == '-') {
		propose_options(c, command->argp);
		propose(c, "--help");
	} else if (!propose_values(c, before, strlen(before))) {
		if (command == &cmd_query)
			complete_query(c);
		else if (command == &cmd_annotate)
			complete_annotate(c);
	}
}

static int run(int argc, char **argv)
{
	struct completion c = { .words = argv + 1, .n = argc - 1, .prefix = "" };
	const struct cmd *command;

	if (c.n < 1)
		return EXIT_OK;
	c.typed = c.words[c.n - 1];
	command = c.n > 1 ? cmd_find(c.words[0]) : NULL;
	if (command && command->argp)
		complete(&c, command);
	for (size_t i = 0; c.n == 1 && cmd_list[i]; i++)
		propose(&c, cmd_list[i]->name);
	return fflush(stdout) ? EXIT_FAILED : EXIT_OK;
}

const struct cmd cmd_complete = {
	.name = "complete",
	.summary = "print the words that complete a command line",
	.run = run,
};

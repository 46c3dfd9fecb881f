/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * memdb man: prints the manual page of a command, from the same tables as its --help. The build
 * calls it to make the pages that are installed.
 */
#include <argp.h>
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "cmd/cmd.h"
#include "database/query.h"

/* Prints n bytes of text as troff: characters with a meaning in troff are escaped, and a `word` in
 * backquotes becomes bold. */
static void put_text(const char *s, size_t n)
{
	bool start = true, bold = false;

	for (size_t i = 0; i < n; i++) {
		if (start && (s[i] == '.' || s[i] == '\''))
			fputs("\\&", stdout);
		start = s[i] == '\n';
		switch (s[i]) {
		case '`':
			fputs(bold ? "\\fR" : "\\fB", stdout);
			bold = !bold;
			break;
		case '\\':
			fputs("\\e", stdout);
			break;
		case '-':
			fputs("\\-", stdout);
			break;
		case '~':
			fputs("\\(ti", stdout);
			break;
		case '^':
			fputs("\\(ha", stdout);
			break;
		default:
			putchar(s[i]);
		}
	}
	if (bold)
		fputs("\\fR", stdout);
}

/* Prints text as paragraphs of a manual page. Empty lines separate them. Lines that begin with a
 * blank keep their line breaks. */
static void put_paragraphs(const char *s, size_t len)
{
	bool as_is = false;

	for (const char *end = s + len; s < end;) {
		const char *stop = memchr(s, '\n', (size_t)(end - s));
		size_t n = (size_t)((stop ? stop : end) - s);

		if (n && (*s == ' ') != as_is) {
			as_is = !as_is;
			puts(as_is ? ".RS\n.nf" : ".fi\n.RE");
		}
		if (n)
			put_text(s, n);
		puts(n ? "" : ".PP");
		s += n + 1;
	}
	if (as_is)
		puts(".fi\n.RE");
}

static void put_heading(const char *name, const char *summary)
{
	printf(".TH MEMDB%s", *name ? "\\-" : "");
	for (const char *c = name; *c; c++)
		putchar(toupper((unsigned char)*c));
	printf(" 1 \"\" \"memdb " MEMDB_VERSION "\" \"memdb\"\n.SH NAME\nmemdb");
	printf("%s%s \\- ", *name ? "\\-" : "", name);
	put_text(summary, strlen(summary));
	puts("");
}

static void put_option(const struct argp_option *o)
{
	const bool optional = o->flags & OPTION_ARG_OPTIONAL;

	puts(".TP");
	if (o->key > 0 && o->key <= CHAR_MAX && isgraph(o->key))
		printf("\\fB\\-%c\\fR%s", o->key, o->name ? ", " : "");
	if (o->name) {
		fputs("\\fB", stdout);
		fputs("\\-\\-", stdout);
		put_text(o->name, strlen(o->name));
		fputs("\\fR", stdout);
	}
	if (o->arg)
		printf("%s=\\fI%s\\fR%s", optional ? "[" : "", o->arg, optional ? "]" : "");
	puts("");
	put_text(o->doc, strlen(o->doc));
	puts("");
}

/* Prints the options of argp and of its child parsers, as --help does. */
static void put_options(const struct argp *argp)
{
	for (const struct argp_option *o = argp->options; o && (o->name || o->key || o->doc); o++) {
		if (o->flags & OPTION_HIDDEN)
			continue;
		if (o->name || o->key) {
			put_option(o);
			continue;
		}
		puts(".PP");
		put_text(o->doc, strlen(o->doc));
		puts("");
	}
	for (const struct argp_child *c = argp->children; c && c->argp; c++)
		put_options(c->argp);
}

/* Prints the first n characters of `text`, the header of a parameter: its name, its default (- if
 * there is none) and what it means. */
static void put_parameter(const char *text, size_t n)
{
	const char *value = text + strcspn(text, " ") + 1;
	size_t len = strcspn(value, " ");
	const char *means = value + len + 1;

	printf(".br\n\\fI%.*s\\fR=: ", (int)(value - text - 1), text);
	put_text(means, n - (size_t)(means - text));
	if (len != 1 || *value != '-')
		printf(" (default: %.*s)", (int)len, value);
	puts("");
}

static void put_query(const struct sql_file *q)
{
	const char *text;
	int n = query_header(q, "summary", 0, &text);

	printf(".TP\n\\fB%s\\fR\n", q->name);
	put_text(text, (size_t)n);
	puts("");
	for (int i = 0; (n = query_header(q, "param", i, &text)); i++)
		put_parameter(text, (size_t)n);
}

static void put_see_also(const struct cmd *self)
{
	puts(".SH SEE ALSO");
	fputs(self ? ".BR memdb (1)" : ".BR memdb\\-schema (7)", stdout);
	for (size_t i = 0; cmd_list[i]; i++)
		if (cmd_list[i] != self)
			printf(",\n.BR memdb\\-%s (1)", cmd_list[i]->name);
	puts(self ? ",\n.BR memdb\\-schema (7)" : ",\n.BR perf\\-record (1),\n.BR sqlite3 (1)");
}

static void print_command(const struct cmd *c)
{
	const char *doc = c->argp->doc, *after = strchr(doc, '\v');

	put_heading(c->name, c->summary);
	printf(".SH SYNOPSIS\n.B memdb %s\n", c->name);
	if (c->argp->options)
		puts("[\\fIOPTION\\fR...]");
	if (c->argp->args_doc)
		put_text(c->argp->args_doc, strlen(c->argp->args_doc));
	puts("\n.SH DESCRIPTION");
	put_paragraphs(doc, after ? (size_t)(after - doc) : strlen(doc));
	puts(".SH OPTIONS");
	put_options(c->argp);
	put_option(&(struct argp_option){ "help", '?', NULL, 0, "print a list of the options", 0 });
	put_option(&(struct argp_option){ "usage", 0, NULL, 0, "print a short usage message", 0 });
	if (after) {
		puts(".SH NOTES");
		put_paragraphs(after + 1, strlen(after + 1));
	}
	if (c == &cmd_query) {
		puts(".SH QUERIES");
		for (const struct sql_file *q = sql_queries; q->name; q++)
			put_query(q);
	}
	put_see_also(c);
}

static void print_overview(void)
{
	static const char about[] =
		"memdb answers, for a program that has to become faster: which objects cost it "
		"its memory time, who touches them, where their pages live, who placed them "
		"there. It records with perf, follows every allocation with a preloaded library, "
		"joins the two by address and time, and leaves one SQLite file.";
	static const char examples[] =
		"  memdb record ./app\n  memdb report --object vector\n  memdb report --html "
		"app.html\n  memdb query costs by=line\n  memdb diff before.db after.db\n";

	put_heading("", "find the objects that cost a program its memory time");
	puts(".SH SYNOPSIS\n.B memdb\n\\fICOMMAND\\fR [\\fIOPTION\\fR...]\n.SH DESCRIPTION");
	put_paragraphs(about, strlen(about));
	puts(".SH COMMANDS");
	for (size_t i = 0; cmd_list[i]; i++) {
		printf(".TP\n.BR memdb\\-%s (1)\n", cmd_list[i]->name);
		put_text(cmd_list[i]->summary, strlen(cmd_list[i]->summary));
		puts("");
	}
	puts(".SH EXAMPLES");
	put_paragraphs(examples, strlen(examples));
	puts(".SH ENVIRONMENT\n.TP\n.BR MEMDB_PAGER \", \" PAGER\n"
	     "what shows text on a terminal (if not set: less; empty: nothing)\n.TP\n.B NO_COLOR\n"
	     "not empty: no colours\n.TP\n.B COLUMNS\n"
	     "width of tables where there is no terminal (if not set: 100 in a report). A report "
	     "leaves "
	     "out columns for which there is no room; COLUMNS=200 shows all\n.TP\n"
	     ".B TMPDIR\nfor what is read from a pipe\n"
	     ".SH FILES\n.TP\n.I run.db\nthe database that is written and read if none is named");
	put_see_also(NULL);
}

static int run(int argc, char **argv)
{
	const struct cmd *c = argc > 1 ? cmd_find(argv[1]) : NULL;

	if (argc > 1 && (!c || !c->argp)) {
		fprintf(stderr, "memdb man: there is no such command\n");
		return EXIT_BAD_USAGE;
	}
	if (c)
		print_command(c);
	else
		print_overview();
	return fflush(stdout) ? EXIT_FAILED : EXIT_OK;
}

const struct cmd cmd_man = {
	.name = "man",
	.summary = "print the manual page of a command",
	.run = run,
};

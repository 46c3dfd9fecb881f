/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/cmd.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/count.h"
#include "base/escape.h"
#include "base/similar.h"
#include "database/print.h"
#include "import/import.h"

const struct cmd *const cmd_list[] = { &cmd_record,   &cmd_import, &cmd_report, &cmd_query,
				       &cmd_annotate, &cmd_sql,    &cmd_diff,   &cmd_export,
				       &cmd_doctor,   NULL };

static const struct cmd *const internal[] = { &cmd_exec_target, &cmd_complete, &cmd_man };

uint64_t cmd_number(struct argp_state *state, const char *what, const char *s,
		    const struct cmd_range *r)
{
	unsigned shift = 0;
	char *end;
	uint64_t v;

	errno = 0;
	v = strtoull(s, &end, 10);
	if (r->units && *end)
		switch (*end++) {
		case 'k':
		case 'K':
			shift = 10;
			break;
		case 'm':
		case 'M':
			shift = 20;
			break;
		case 'g':
		case 'G':
			shift = 30;
			break;
		default:
			end--;
		}
	if (end == s || *end)
		cmd_misused(state, "%s: '%s' is no number%s", what, s, r->units ? " of bytes" : "");
	if (errno || strchr(s, '-') || v > UINT64_MAX >> shift || v << shift < r->least ||
	    v << shift > r->most)
		cmd_misused(state, "%s: '%s' is not from %" PRIu64 " to %" PRIu64, what, s,
			    r->least, r->most);
	return v << shift;
}

/* Returns the part of an error of SQLite that names a table, column or function that the database
 * does not have; NULL for any other error. memdb's statements use only tables that this build
 * creates, so such an error means that another build, with other tables, wrote the database. */
static const char *find_missing(const struct md_err *err)
{
	static const char *const kinds[] = { "no such column: ", "no such table: ",
					     "no such function: ", "has no column named " };
	const char *missing = NULL;

	for (size_t i = 0; i < COUNT_OF(kinds) && !missing && err->code == MD_EDB; i++)
		missing = strstr(err->msg, kinds[i]);
	return missing;
}

int cmd_report_error(const struct cmd *self, const struct md_err *err)
{
	const char *missing = find_missing(err);

	if (missing)
		escape_say("memdb %s: another build of memdb wrote this database, with other "
			   "tables (%s): import the capture again, or record again",
			   self->name, missing);
	else
		escape_say("memdb %s: %s", self->name, err->msg);
	return err->code == MD_EUSAGE ? EXIT_BAD_USAGE : EXIT_FAILED;
}

int cmd_end(const struct cmd *self, int ret, const struct md_err *err)
{
	return ret ? cmd_report_error(self, err) : EXIT_OK;
}

/* Does the newline at text[at] end a line of argp's message? Any other newline is part of an option
 * that the message repeats. argp adds the line "Try `memdb ... --help'" to its sentence. */
static bool ends_line(const char *text, size_t at, size_t bytes)
{
	return at + 1 == bytes || (bytes - at > 5 && !memcmp(text + at + 1, "Try `", 5));
}

/* The write function of the stream that replaces stderr in cmd_parse(): writes text to the stream
 * `to` with control characters escaped, line by line. */
static ssize_t write_escaped(void *to, const char *text, size_t bytes)
{
	for (size_t at = 0, end; at < bytes; at = end + 1) {
		char *line;

		for (end = at; end < bytes; end++)
			if (text[end] == '\n' && ends_line(text, end, bytes))
				break;
		line = strndup(text + at, end - at);
		if (line)
			escape_text(line, to);
		if (end < bytes)
			fputc('\n', to);
		free(line);
	}
	return (ssize_t)bytes;
}

/* argp repeats unknown options unchanged in its messages, and they may contain control characters.
 * So while argp runs, stderr is a stream whose write function is write_escaped(). */
void cmd_parse(const struct argp *argp, int argc, char **argv, unsigned flags, void *args)
{
	FILE *const terminal = stderr;
	FILE *escaped =
		fopencookie(terminal, "w", (cookie_io_functions_t){ .write = write_escaped });
	int ret;

	argp_err_exit_status = EXIT_BAD_USAGE;
	/* so that write_escaped() gets a message in one piece, unless it is very long */
	if (escaped && !setvbuf(escaped, NULL, _IOFBF, BUFSIZ))
		stderr = escaped;
	/* argp_parse() may end the process, which also flushes `escaped` */
	ret = argp_parse(argp, argc, argv, flags, NULL, args);
	stderr = terminal;
	if (escaped)
		fclose(escaped);
	if (ret) { /* not a misuse, which argp reports itself */
		escape_say("memdb: cannot read the options: %s", strerror(ret));
		exit(EXIT_BAD_USAGE);
	}
}

void cmd_parse_database(const char **database, const char *arg, struct argp_state *state)
{
	if (*database)
		cmd_misused(state, "one database at a time: '%s' is a second one", arg);
	*database = arg;
}

void cmd_check_value(int key, const char *arg, struct argp_state *state)
{
	const char *option = state->next > 1 ? state->argv[state->next - 2] : "";

	/* keys of argp itself are above those of options, and below 1 */
	if (key <= 0 || key >= ARGP_KEY_FINI || !arg || arg[0] != '-' || !arg[1])
		return;
	if (arg == state->argv[state->next - 1]) /* a word of its own, not a part of "--o=arg" */
		cmd_misused(state,
			    "%s needs a value, and '%s' looks like an option (if it is the "
			    "value: %s%s%s)",
			    option, arg, option, option[1] == '-' ? "=" : "", arg);
}

void cmd_check_stdout(struct argp_state *state, const char *path)
{
	if (!strcmp(path, "-"))
		cmd_misused(state, "'-' is not a file: give a name (./- if it is to be that)");
}

void cmd_check_folder(struct argp_state *state, const char *option, const char *path)
{
	struct stat st;

	if (stat(path, &st))
		cmd_misused(state, "%s: cannot open '%s': %s", option, path, strerror(errno));
	if (!S_ISDIR(st.st_mode))
		cmd_misused(state, "%s: '%s' is not a folder", option, path);
}

int cmd_parse_format(const char *arg, struct argp_state *state)
{
	int format = print_format_by_name(arg);

	if (format < 0)
		cmd_misused(state, "there is no format '%s': " PRINT_FORMATS, arg);
	return format;
}

void cmd_report_losses(const struct import_result *r)
{
	if (r->damage[0])
		escape_say("memdb: not all of the recording is sound: %s", r->damage);
	if (r->missing[0])
		escape_say("memdb: not in the database: %s", r->missing);
	if (r->wrappers[0])
		escape_say("memdb: --wrapper has no effect for %s: no function of this name "
			   "allocates; `memdb report --by wrapper` lists those that do",
			   r->wrappers);
}

void cmd_misused(struct argp_state *state, const char *fmt, ...)
{
	char *text = NULL, *shown = NULL;
	size_t size;
	va_list ap;
	FILE *f;

	va_start(ap, fmt);
	if (vasprintf(&text, fmt, ap) < 0)
		text = NULL;
	va_end(ap);
	f = text ? open_memstream(&shown, &size) : NULL;
	if (f) {
		escape_text(text, f);
		fclose(f);
	}
	argp_error(state, "%s", shown ? shown : "out of memory"); /* ends the process */
	free(shown);
	free(text);
}

static void print_help(FILE *f)
{
	fputs("Usage: memdb COMMAND [OPTION...]\n\n"
	      "Finds the objects that cost a program its memory time.\n\n",
	      f);
	for (size_t i = 0; cmd_list[i]; i++)
		fprintf(f, "  %-9s %s\n", cmd_list[i]->name, cmd_list[i]->summary);
	fputs("\n`memdb COMMAND --help` shows the options of a command.\n", f);
}

const struct cmd *cmd_find(const char *name)
{
	for (size_t i = 0; i < COUNT_OF(internal); i++)
		if (!strcmp(name, internal[i]->name))
			return internal[i];
	for (size_t i = 0; cmd_list[i]; i++)
		if (!strcmp(name, cmd_list[i]->name))
			return cmd_list[i];
	return NULL;
}

static int no_such_command(const char *name)
{
	struct similar similar = { .wanted = name };
	const char *meant = NULL;

	for (size_t i = 0; cmd_list[i]; i++)
		if (similar_offer(&similar, cmd_list[i]->name))
			meant = cmd_list[i]->name;
	if (meant)
		escape_say("memdb: there is no command '%s'; did you mean '%s'?", name, meant);
	else
		escape_say("memdb: there is no command '%s'; `memdb help` lists them", name);
	return EXIT_BAD_USAGE;
}

int cmd_main(int argc, char **argv)
{
	const struct cmd *c;
	char title[64];

	if (argc < 2) {
		print_help(stderr);
		return EXIT_BAD_USAGE;
	}
	if (!strcmp(argv[1], "help") && argc > 2) {
		/* "memdb help report" is "memdb report --help" */
		char help[] = "--help", *words[] = { argv[0], argv[2], help, NULL };

		return cmd_main(3, words);
	}
	if (!strcmp(argv[1], "help") || !strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")) {
		print_help(stdout);
		return EXIT_OK;
	}
	if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V")) {
		puts("memdb " MEMDB_VERSION);
		return EXIT_OK;
	}
	c = cmd_find(argv[1]);
	if (!c)
		return no_such_command(argv[1]);
	/* argp uses argv[0] as the program's name in its messages */
	snprintf(title, sizeof(title), "memdb %s", c->name);
	program_invocation_name = program_invocation_short_name = title;
	argv[1] = title;
	return c->run(argc - 1, argv + 1);
}

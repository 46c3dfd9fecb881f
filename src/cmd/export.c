/* SPDX-License-Identifier: GPL-2.0-or-later */
/* memdb export: writes the costs of call paths for flame-graph tools, all tables and views as
 * Parquet files, or their descriptions for Datasette. */
#include "cmd/cmd.h"

#include <argp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "database/newfile.h"
#include "report/dataset.h"
#include "report/export.h"

struct export_args {
	const char *database;
	const char *output; /* NULL means standard output */
	int format;         /* NOT_SAID, PARQUET, METADATA, or enum export_format */
	bool by_object, force;
	bool has_by, metadata;
};

enum { NOT_SAID = -1, PARQUET = -2, METADATA = -3 };

enum { OPT_TO = 256, OPT_BY, OPT_FORCE, OPT_METADATA };

static const struct argp_option options[] = {
	{ "to", OPT_TO, "FORMAT", 0, EXPORT_FORMATS ", or parquet: all tables and views", 0 },
	{ "output", 'o', "FILE", 0,
	  "the file to write instead of standard output; parquet: the "
	  "directory, which may contain other runs",
	  0 },
	{ "force", OPT_FORCE, NULL, 0, "replace FILE; parquet: replace this run in the directory",
	  0 },
	{ "datasette-metadata", OPT_METADATA, NULL, 0,
	  "write descriptions of tables and views for Datasette (its "
	  "metadata.json)",
	  0 },
	{ "by", OPT_BY, "WHAT", 0,
	  "wait (default): the call paths of the code that waits; object: "
	  "the call paths that allocated the object that it waits for, and "
	  "the object's name",
	  0 },
	{ 0 },
};

static void check_together(struct export_args *a, struct argp_state *state)
{
	if (a->metadata && a->format != NOT_SAID)
		cmd_misused(state, "--to and --datasette-metadata exclude each other");
	if (a->metadata)
		a->format = METADATA;
	if (a->has_by && (a->format == PARQUET || a->format == METADATA))
		cmd_misused(state, "--by is for call paths: this export has none");
	if (a->output && !strcmp(a->output, "-") && a->format != PARQUET)
		a->output = NULL;
	if (a->force && !a->output)
		cmd_misused(state, "--force is for the FILE of -o");
	if (a->format == NOT_SAID)
		cmd_misused(state, "to what? for example: memdb export --to speedscope "
				   "run.db >run.json");
	if (a->format == PARQUET && a->output)
		cmd_check_stdout(state, a->output);
	if (a->format == PARQUET && !a->output)
		cmd_misused(state, "into which directory? for example: memdb export --to parquet "
				   "-o runs run.db");
	if (a->format == EXPORT_PPROF && !a->output && isatty(STDOUT_FILENO))
		cmd_misused(state, "pprof is not a text: memdb export --to pprof -o run.pb.gz");
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct export_args *a = state->input;

	cmd_check_value(key, arg, state);
	switch (key) {
	case OPT_TO:
		a->format = strcmp(arg, "parquet") ? export_format_by_name(arg) : PARQUET;
		if (a->format == NOT_SAID)
			cmd_misused(state, "there is no format '%s': " EXPORT_FORMATS " or parquet",
				    arg);
		return 0;
	case OPT_METADATA:
		a->metadata = true;
		return 0;
	case 'o':
		a->output = arg;
		return 0;
	case OPT_FORCE:
		a->force = true;
		return 0;
	case OPT_BY:
		a->has_by = true;
		a->by_object = !strcmp(arg, "object");
		if (!a->by_object && strcmp(arg, "wait"))
			cmd_misused(state, "--by is wait or object, not '%s'", arg);
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

static const struct argp argp = {
	.options = options,
	.parser = parse,
	.args_doc = "[DATABASE]",
	.doc = "Write the cost of memory by call path to standard output, for "
	       "tools that draw flame graphs (default database: run.db).\vparquet "
	       "writes DIR/table=NAME/run=DATABASE/part.parquet, which DuckDB, "
	       "ClickHouse, Spark and pandas read as one data set of many runs. "
	       "collapsed is for flamegraph.pl and inferno, speedscope for "
	       "https://www.speedscope.app. firefox is for "
	       "https://profiler.firefox.com: it also has threads, times, and the "
	       "allocations with their addresses (of blocks that have a row, see "
	       "import --all-blocks). Costs are nanoseconds of thread time spent "
	       "waiting for memory (timer), or cycles.",
};

static int write_stream(const struct export_args *a, FILE *out, struct md_err *err)
{
	return a->format == METADATA ? dataset_metadata(a->database, out, err)
				     : export_write(a->database, (enum export_format)a->format,
						    a->by_object, out, err);
}

/* Writes the export to `out` and closes it. If `out` is NULL, the file a->output could not be
 * opened: then only reports that, from errno. */
static int write_and_close(const struct export_args *a, FILE *out, struct md_err *err)
{
	int ret = out ? write_stream(a, out, err) : 0;

	if (!out || (fclose(out) && !ret))
		ret = md_fail_errno(err, MD_EIO, "cannot write '%s'", a->output);
	return ret;
}

/* Writes the export to the file a->output. The file gets its name only when it is complete, so
 * after a failure an old file of that name is unchanged. */
static int write_file(const struct export_args *a, struct md_err *err)
{
	struct newfile f;
	int fd, ret = newfile_check_input(a->database, a->output, err);

	if (!ret)
		ret = newfile_create_kind(NEWFILE_EXPORT, a->output, a->force, &f, err);
	if (ret)
		return ret;
	fd = dup(f.temp.fd);
	ret = write_and_close(a, fd < 0 ? NULL : fdopen(fd, "w"), err);
	if (!ret)
		ret = newfile_publish(&f, err);
	newfile_release(&f);
	return ret;
}

static int write_output(const struct export_args *a, struct md_err *err)
{
	if (a->format == PARQUET)
		return dataset_write(a->database, a->output, a->force, err);
	if (!a->output)
		return write_stream(a, stdout, err);
	/* a pipe or a device has no old contents that could be lost */
	if (newfile_is_stream(a->output))
		return write_and_close(a, fopen(a->output, "we"), err);
	return write_file(a, err);
}

static int run(int argc, char **argv)
{
	struct export_args a = { .format = NOT_SAID };
	struct md_err err = { 0 };
	int ret;

	cmd_parse(&argp, argc, argv, 0, &a);
	if (!a.database)
		a.database = CMD_DATABASE;
	ret = write_output(&a, &err);
	return cmd_end(&cmd_export, ret, &err);
}

const struct cmd cmd_export = {
	.name = "export",
	.summary = "write the cost of call paths, or all tables, for other tools",
	.argp = &argp,
	.run = run,
};

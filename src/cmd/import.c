/* SPDX-License-Identifier: GPL-2.0-or-later */
/* memdb import: makes a database from a capture, or from a recording made by perf alone. */
#include "cmd/cmd.h"

#include <argp.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/words.h"
#include "cmd/stop.h"
#include "database/newfile.h"
#include "import/import.h"
#include "record/perf_tool.h"

struct import_args {
	struct import_options o;
	struct words wrappers; /* the arguments of all options --wrapper */
	bool quiet, all_blocks, keep_blocks;
};

enum {
	OPT_ALLOC = 256,
	OPT_NO_LINES,
	OPT_NO_SOURCE,
	OPT_DEBUG_DIRS,
	OPT_FORCE,
	OPT_SYMFS,
	OPT_TRUST_FILES,
	OPT_ALL_BLOCKS,
	OPT_CHECK,
	OPT_KEEP_BLOCKS,
	OPT_SQLITE_INSERTS,
	OPT_WRAPPER
};

static const struct argp_option options[] = {
	{ "output", 'o', "FILE", 0, "database to write (default: run.db)", 0 },
	{ "force", OPT_FORCE, NULL, 0,
	  "replace FILE even if it is not a memdb database or is read-only; "
	  "also import a recording of another user",
	  0 },
	{ "alloc", OPT_ALLOC, "DIR", 0,
	  "folder with the tracker's logs, for a perf.data that was recorded "
	  "by hand",
	  0 },
	{ "all-blocks", OPT_ALL_BLOCKS, NULL, 0, "store a row of each block, like --keep-blocks 0",
	  0 },
	{ "keep-blocks", OPT_KEEP_BLOCKS, "BYTES", 0,
	  "store a row of each block of at least BYTES (default: 4096, but "
	  "only of the first 10000 blocks of each object), and of others "
	  "that matter, for example because a sample or a page fault hit "
	  "them; the rest are only counted",
	  0 },
	{ "check", OPT_CHECK, NULL, 0,
	  "let SQLite check all pages of the database; without this option, "
	  "only the rows are counted",
	  0 },
	{ "sqlite-inserts", OPT_SQLITE_INSERTS, NULL, 0,
	  "let SQLite insert all rows; without this option, memdb writes the "
	  "rows of its largest tables faster, as pages of SQLite's format",
	  0 },
	{ "debug-dirs", OPT_DEBUG_DIRS, "DIRS", 0,
	  "folders of separate debug information, separated by colons "
	  "(default: /usr/lib/debug)",
	  0 },
	{ "no-lines", OPT_NO_LINES, NULL, 0, "do not find source lines and inlined functions", 0 },
	{ "no-source", OPT_NO_SOURCE, NULL, 0,
	  "do not store the text of source lines in the database", 0 },
	{ "symfs", OPT_SYMFS, "DIR", 0,
	  "look for programs and libraries below DIR first: DIR has them "
	  "under the same paths as / of the recorded machine",
	  0 },
	{ "trust-files", OPT_TRUST_FILES, NULL, 0,
	  "if the recording has no build-id of a file, use the file of this "
	  "name, even if the recording is from another host or the file has "
	  "changed; it stays marked as unverified",
	  0 },
	{ "wrapper", OPT_WRAPPER, "FUNCTION", 0,
	  "this function of the program only passes on what it allocates, so "
	  "name its blocks after its callers; may be given several times",
	  0 },
	{ "quiet", 'q', NULL, 0, "print only errors and losses", 0 },
	{ "verbose", 'v', NULL, 0, "print how long each phase took", 0 },
	{ 0 },
};

/* Checks that the folders in `list`, separated by ":", exist. Empty entries are skipped, as in the
 * search for debug files. */
static void check_folders(struct argp_state *state, const char *list)
{
	char *copy = strdup(list), *rest = copy, *folder;

	while (rest && (folder = strsep(&rest, ":")))
		if (*folder)
			cmd_check_folder(state, "--debug-dirs", folder);
	free(copy);
}

/* Handles an option that has no value. Returns false if `key` does not belong to such an option. */
static bool parse_flag(int key, struct import_args *a)
{
	switch (key) {
	case OPT_ALL_BLOCKS:
		a->all_blocks = true;
		a->o.keep_bytes = a->o.keep_most = 0;
		return true;
	case OPT_CHECK:
		return a->o.check = true;
	case OPT_SQLITE_INSERTS:
		return a->o.sqlite_inserts = true;
	case OPT_FORCE:
		return a->o.force = true;
	case OPT_NO_LINES:
		return a->o.no_lines = true;
	case OPT_NO_SOURCE:
		return a->o.no_source = true;
	case OPT_TRUST_FILES:
		return a->o.trust_files = true;
	case 'q':
		return a->quiet = true;
	case 'v':
		return a->o.timing = true;
	default:
		return false;
	}
}

static void check_together(const struct import_args *a, struct argp_state *state)
{
	if (a->all_blocks && a->keep_blocks)
		cmd_misused(state, "--all-blocks and --keep-blocks exclude each other");
	if (a->quiet && a->o.timing)
		cmd_misused(state, "-q and -v exclude each other");
	cmd_check_stdout(state, a->o.output);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct import_args *a = state->input;

	cmd_check_value(key, arg, state);
	switch (key) {
	case 'o':
		a->o.output = arg;
		return 0;
	case OPT_ALLOC:
		cmd_check_folder(state, "--alloc", arg);
		a->o.track_dir = arg;
		return 0;
	case OPT_KEEP_BLOCKS:
		a->keep_blocks = true;
		a->o.keep_most = 0;
		a->o.keep_bytes = cmd_number(state, "--keep-blocks", arg,
					     &(struct cmd_range){ 0, INT64_MAX, true });
		return 0;
	case OPT_DEBUG_DIRS:
		check_folders(state, arg);
		a->o.debug_dirs = arg;
		return 0;
	case OPT_SYMFS:
		cmd_check_folder(state, "--symfs", arg);
		a->o.symfs = arg;
		return 0;
	case OPT_WRAPPER:
		words_add(&a->wrappers, arg);
		return 0;
	case ARGP_KEY_ARG:
		if (a->o.input)
			cmd_misused(state, "one recording at a time: '%s' is a second one", arg);
		a->o.input = arg;
		return 0;
	case ARGP_KEY_NO_ARGS:
		cmd_misused(state, "name a capture directory or a perf.data");
		return 0;
	case ARGP_KEY_END:
		check_together(a, state);
		return 0;
	default:
		return parse_flag(key, a) ? 0 : ARGP_ERR_UNKNOWN;
	}
}

/*
 * The options of perf that a recording needs for `memdb import`, shown in the help. Without the
 * registers memdb cannot compute data addresses. CLOCK_MONOTONIC is also the clock of the tracker's
 * logs.
 */
#define PERF_RECORD                                                   \
	"  perf record -d -W -g --sample-cpu -k CLOCK_MONOTONIC \\\n" \
	"    --user-regs=" USER_REGISTERS " \\\n"                     \
	"    -e cpu-clock/period=1000000/ -e page-faults/period=1/ -o perf.data \\\n"

static const struct argp argp = {
	.options = options,
	.parser = parse,
	.args_doc = "CAPTURE|perf.data|-",
	.doc = "Turn a recording into a database.\vCAPTURE is a directory that "
	       "`memdb record --raw` made. It also imports a perf.data that was "
	       "recorded by hand:\n\n" PERF_RECORD
	       "    ./app\n  memdb import perf.data\n\nWhat perf writes to a pipe "
	       "(`perf record -o - ...`) is read from standard input with `memdb "
	       "import -`, or from a file in which it was saved.\n\nWith the "
	       "program's allocations, where TRACKER is the path that `memdb "
	       "doctor` shows:\n\n  mkdir track\n" PERF_RECORD
	       "    env MEMDB_TRACK_DIR=\"$PWD/track\" LD_PRELOAD=TRACKER ./app\n "
	       " memdb import --alloc track perf.data\n\nExit codes: 0 the "
	       "database was written, 1 it was not, 2 the options are wrong.",
};

static const char *plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

static void report_result(const struct import_args *a, const struct import_result *r)
{
	escape_say("memdb: wrote %s: %" PRIu64 " sample%s (%" PRIu64 " with an address, %" PRIu64
		   " of them in a known object), %" PRIu64 " page fault%s, %" PRIu64
		   " tracepoint event%s, %" PRIu64 " allocation%s, %" PRIu64 " object%s; %.1f s",
		   a->o.output, r->samples, plural(r->samples), r->with_address, r->with_object,
		   r->page_faults, plural(r->page_faults), r->tracepoints, plural(r->tracepoints),
		   r->allocations, plural(r->allocations), r->objects, plural(r->objects),
		   r->seconds);
}

static int import_one(struct import_args *a)
{
	struct import_result r;
	struct md_err err = { 0 };

	if (newfile_is_database(a->o.input)) {
		md_fail(&err, MD_EUSAGE,
			"'%s' is a database already: memdb report %s shows it, and the capture "
			"that it was made of can be imported again",
			a->o.input, a->o.input);
		return cmd_report_error(&cmd_import, &err);
	}
	if (a->wrappers.failed) {
		md_nomem(&err);
		return cmd_report_error(&cmd_import, &err);
	}
	if (import_run(&a->o, &r, &err))
		return cmd_report_error(&cmd_import, &err);
	cmd_report_losses(&r);
	if (!a->quiet)
		report_result(a, &r);
	return EXIT_OK;
}

static int run(int argc, char **argv)
{
	struct import_args a = { .o = { .output = "run.db",
					.keep_bytes = IMPORT_KEEP_BYTES,
					.keep_most = IMPORT_KEEP_MOST } };
	int code;

	cmd_parse(&argp, argc, argv, 0, &a);
	a.o.progress = !a.quiet;
	a.o.wrappers = a.wrappers.v;
	a.o.stop = stop_on_signals();
	code = import_one(&a);
	words_release(&a.wrappers);
	return code;
}

const struct cmd cmd_import = {
	.name = "import",
	.summary = "turn a capture directory or a perf.data into a database",
	.argp = &argp,
	.run = run,
};

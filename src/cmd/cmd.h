/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Each command of memdb has one file with one struct cmd. Results go to stdout, messages to stderr.
 * A failure is one sentence "memdb COMMAND: …" on stderr. argp parses the options, and --help shows
 * all of them.
 */
#ifndef MEMDB_CMD_CMD_H
#define MEMDB_CMD_CMD_H

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

/*
 * Exit codes. `memdb record` returns the program's own code, or 128 + N for signal N. Its own
 * failures are 125 to 127, as in env(1) and timeout(1), and 2 for wrong usage.
 */
enum {
	EXIT_OK = 0,
	EXIT_FAILED = 1,           /* the command could not do its work */
	EXIT_BAD_USAGE = 2,        /* invalid options or arguments */
	EXIT_RECORD_FAILED = 125,  /* record: memdb or perf failed. If only the import failed, the
				      capture is kept and its path printed */
	EXIT_NOT_EXECUTABLE = 126, /* record: the program exists but cannot be executed */
	EXIT_NOT_FOUND = 127,      /* record: there is no such program */
};

struct cmd {
	const char *name;
	const char *summary;     /* one line for `memdb help` */
	const struct argp *argp; /* its options; NULL for an internal command */
	/* does the work; argv[0] is "memdb NAME"; returns the exit code */
	int (*run)(int argc, char **argv);
};

extern const struct cmd cmd_annotate, cmd_record, cmd_import, cmd_query, cmd_report, cmd_sql,
	cmd_diff, cmd_export, cmd_doctor;
/* Internal commands, which the help does not list. perf runs exec_target, shells run complete,
 * the build runs man. */
extern const struct cmd cmd_exec_target, cmd_complete, cmd_man;

/* The commands in the order in which the help lists them; the last element is NULL. */
extern const struct cmd *const cmd_list[];

/* Returns the command with this name, or NULL. Finds internal commands, too. */
const struct cmd *cmd_find(const char *name);

/* Runs the command that argv[1] names. Returns the exit code. */
int cmd_main(int argc, char **argv);

#define CMD_DATABASE "run.db" /* database to read if none is named */

/*
 * Parses the command line into *args with argp. Ends the process after --help, and with
 * EXIT_BAD_USAGE after wrong options. flags are those of argp_parse().
 */
void cmd_parse(const struct argp *argp, int argc, char **argv, unsigned flags, void *args);

/*
 * For a command that takes one DATABASE: stores the argument `arg` in *database. Ends the process
 * with a message if *database is not NULL, because then `arg` is the second DATABASE.
 */
void cmd_parse_database(const char **database, const char *arg, struct argp_state *state);

/*
 * To be called first by every parser of options: ends the process with a message if `arg`, the
 * value of the option `key`, is a word of its own that begins with '-'. It is probably the next
 * option, and the value is missing.
 */
void cmd_check_value(int key, const char *arg, struct argp_state *state);

/*
 * Ends the process with a message if `path`, the name of an output file, is "-" (standard output):
 * the command gives the file its name only when the file is complete, and standard output has no
 * name.
 */
void cmd_check_stdout(struct argp_state *state, const char *path);

/* Ends the process with a message if `path` is not an existing folder. The message names `option`,
 * for example "--debug-dirs". */
void cmd_check_folder(struct argp_state *state, const char *option, const char *path);

/* Parses the value of --format. Returns an enum print_format; ends the process if there is no such
 * format. */
int cmd_parse_format(const char *arg, struct argp_state *state);

/* Prints a message about wrong usage, with unprintable characters escaped, and ends the process
 * (argp_error()). */
void cmd_misused(struct argp_state *state, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * Parses `s`, the argument of the option `what`, as a number in the range r. If it is not such a
 * number, ends the process with a message that names `what`.
 */
struct cmd_range {
	uint64_t least, most;
	bool units; /* the number is in bytes and may end with k, M or G */
};
uint64_t cmd_number(struct argp_state *state, const char *what, const char *s,
		    const struct cmd_range *r);

/*
 * Returns a command's exit code: EXIT_OK if `ret` is 0; otherwise calls cmd_report_error() and
 * returns its result.
 */
int cmd_end(const struct cmd *self, int ret, const struct md_err *err);

/*
 * Prints "memdb NAME: sentence" on stderr, escaped. Returns EXIT_FAILED, or EXIT_BAD_USAGE for
 * MD_EUSAGE.
 */
int cmd_report_error(const struct cmd *self, const struct md_err *err);

struct import_result;

/* Prints on stderr what an import found damaged or missing, and the options --wrapper that had no
 * effect, one sentence each. */
void cmd_report_losses(const struct import_result *r);

#endif

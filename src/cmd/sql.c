/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * memdb sql: runs the sqlite3 shell on a database. memdb opens the database first to check it,
 * because memdb's messages about a wrong file are better than the shell's.
 */
#include "cmd/cmd.h"

#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/count.h"
#include "base/escape.h"
#include "database/open.h"

struct sql_args {
	const char *path;
	/* statements for the shell, a list that ends with NULL; a NULL pointer means none */
	char **statements;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct sql_args *a = state->input;

	switch (key) {
	case ARGP_KEY_ARG:
		a->path = arg;
		if (state->next < state->argc && !strcmp(state->argv[state->next], "--"))
			state->next++;
		if (state->next < state->argc)
			a->statements = &state->argv[state->next];
		state->next = state->argc;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = {
	.parser = parse,
	.args_doc = "[run.db [STATEMENT...]]",
	.doc = "Open a database for reading in the sqlite3 shell, with columns "
	       "and headings. With STATEMENTs, or with SQL on standard input, "
	       "runs those.\v`.tables` lists tables and views, `.schema NAME` "
	       "explains one, and `memdb query --sql NAME` prints a canned query "
	       "to start from.\n\nThe exit code is that of sqlite3: not 0 if a "
	       "statement failed, usually 1. 2: the options are wrong.",
};

/* Replaces this process with the sqlite3 shell; returns only on failure. Puts "./" before a
 * relative path, because it could look like an option. */
static int run_shell(const struct sql_args *a, struct md_err *err)
{
	const char *fixed[] = { "sqlite3",    "-readonly", "-header", "-column",
				"-nullvalue", "-",         "-cmd",    ".parameter init" };
	enum { FIXED = COUNT_OF(fixed) };
	size_t n = 0;
	char *path = NULL;
	const char **argv;

	while (a->statements && a->statements[n])
		n++;
	argv = calloc(FIXED + n + 2, sizeof(*argv));
	if (!argv || asprintf(&path, "%s%s", *a->path == '/' ? "" : "./", a->path) < 0) {
		free(argv);
		return md_nomem(err);
	}
	memcpy(argv, fixed, sizeof(fixed));
	argv[FIXED] = path;
	for (size_t i = 0; i < n; i++)
		argv[FIXED + 1 + i] = a->statements[i];
	execvp(argv[0], (char **)argv);
	free(argv);
	free(path);
	if (errno == ENOENT)
		return md_fail(err, MD_ENOENT,
			       "there is no sqlite3: install the package of that name, or ask by "
			       "`memdb query`");
	return md_fail_errno(err, MD_ESYS, "cannot run sqlite3");
}

static int run(int argc, char **argv)
{
	struct sql_args a = { .path = CMD_DATABASE };
	struct md_err err = { 0 };
	sqlite3 *db;
	int ret;

	cmd_parse(&argp, argc, argv, ARGP_IN_ORDER, &a);
	/* only checks the file, for better messages; the shell opens the database itself */
	ret = db_open_readonly(a.path, &db, &err);
	if (!ret) {
		sqlite3_close(db);
		ret = run_shell(&a, &err);
	}
	return cmd_end(&cmd_sql, ret, &err);
}

const struct cmd cmd_sql = {
	.name = "sql",
	.summary = "open a database in the sqlite3 shell",
	.argp = &argp,
	.run = run,
};

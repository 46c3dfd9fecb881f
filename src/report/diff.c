/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/diff.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "base/escape.h"
#include "database/open.h"
#include "report/report.h"
#include "report/report_sql.h"
#include "report/short_code.h"

enum { ROWS_SHOWN = 8 };

static int fail_diff(sqlite3 *db, struct md_err *err)
{
	return md_fail(err, MD_EDB, "cannot compare: %s", sqlite3_errmsg(db));
}

/*
 * Opens the first database and attaches the second as `after`. First opens the second alone, to
 * check what it is.
 */
static int open_both(const struct diff_options *o, sqlite3 **db, struct md_err *err)
{
	sqlite3_stmt *st = NULL;
	char *name = NULL;
	int ret = db_open_readonly(o->after, db, err);

	if (ret)
		return ret;
	sqlite3_close(*db);
	ret = db_open_readonly(o->before, db, err);
	if (ret)
		return ret;
	if (asprintf(&name, "%s%s", *o->after == '/' ? "" : "./", o->after) < 0)
		return md_nomem(err);
	if (sqlite3_prepare_v2(*db, "ATTACH ? AS after", -1, &st, NULL) ||
	    sqlite3_bind_text(st, 1, name, -1, SQLITE_STATIC) || sqlite3_step(st) != SQLITE_DONE ||
	    short_code_register(*db))
		ret = fail_diff(*db, err);
	sqlite3_finalize(st);
	free(name);
	return ret;
}

/* Checks that the databases count cost in the same unit. *unit is "" if one measured no cost. */
static int check_units(sqlite3 *db, const char **unit, struct md_err *err)
{
	static const char sql[] =
		"SELECT (SELECT cost_unit FROM main.run_costs), (SELECT cost_unit FROM "
		"after.run_costs)";
	sqlite3_stmt *st = NULL;
	const char *a, *b;
	int ret = 0;

	if (sqlite3_prepare_v2(db, sql, -1, &st, NULL) || sqlite3_step(st) != SQLITE_ROW) {
		ret = fail_diff(db, err);
		goto out;
	}
	a = (const char *)sqlite3_column_text(st, 0);
	b = (const char *)sqlite3_column_text(st, 1);
	if (a && b && strcmp(a, b))
		ret = md_fail(err, MD_EUSAGE,
			      "cannot compare: one run counts %s, the other %s; record both with "
			      "the same "
			      "sampler",
			      a, b);
	else if (!a || !b)
		ret = md_fail(err, MD_EUSAGE, "cannot compare: %s measured no cost",
			      !a && !b ? "both runs"
			      : !a     ? "the run before"
				       : "the run after");
	else
		*unit = strcmp(a, "ns") ? "million cycles" : "ms";
out:
	sqlite3_finalize(st);
	return ret;
}

static int prepare_diff(sqlite3 *db, const char *before, const char *after, double noise,
			sqlite3_stmt **st, struct md_err *err)
{
	char *sql = NULL;
	size_t len = strlen(sql_diff[0].text);
	int ret = 0;

	/* without its final ';' it can be part of another statement */
	while (len && strchr(";\n ", sql_diff[0].text[len - 1]))
		len--;
	if (asprintf(&sql, "%s%.*s%s", before, (int)len, sql_diff[0].text, after) < 0)
		return md_nomem(err);
	if (sqlite3_prepare_v2(db, sql, -1, st, NULL) ||
	    sqlite3_bind_double(*st, sqlite3_bind_parameter_index(*st, ":noise"), noise))
		ret = fail_diff(db, err);
	free(sql);
	return ret;
}

/* Prepares a statement on the rows of the comparison, the table `change`. */
static int prepare_select(sqlite3 *db, const char *select, sqlite3_stmt **st, struct md_err *err)
{
	if (sqlite3_prepare_v2(db, select, -1, st, NULL))
		return fail_diff(db, err);
	return 0;
}

static int print_sentences(sqlite3 *db, const char *unit, FILE *out, struct md_err *err)
{
	static const char sql[] =
		"SELECT name || printf(': %.1f to %.1f ', before, after) || ?1"
		" || iif(before > 0, printf(' (%+.0f %%)', 100 * (after - before) / before), '')"
		" || iif(low IS NULL, '', printf(', change %+.1f to %+.1f: ', low, high) ||"
		"  CASE verdict WHEN 'less' THEN 'less, beyond chance' WHEN 'more' THEN 'more, "
		"beyond chance'"
		"  ELSE verdict END) FROM temp.change WHERE part = 'run'";
	sqlite3_stmt *st = NULL;
	int ret = prepare_select(db, sql, &st, err);

	if (!ret)
		sqlite3_bind_text(st, 1, unit, -1, SQLITE_STATIC);
	while (!ret && sqlite3_step(st) == SQLITE_ROW) {
		escape_text((const char *)sqlite3_column_text(st, 0), out);
		putc('\n', out);
	}
	if (!ret && sqlite3_errcode(db) != SQLITE_DONE)
		ret = fail_diff(db, err);
	sqlite3_finalize(st);
	return ret;
}

/* Prints the largest changes of one part that are beyond chance, or one line if there are none. */
static int print_part(sqlite3 *db, const char *part, FILE *out, struct md_err *err)
{
	static const char sql[] =
		"SELECT short_code(name) AS name, place, before, after, change, printf('%.1f to "
		"%.1f', low, high) AS "
		"\"95 %\", iif(before_pct IS NULL, NULL, printf('%.1f %%', before_pct)) AS "
		"\"was\", iif(after_pct IS NULL, NULL, printf('%.1f %%', after_pct)) "
		"AS \"is\", verdict "
		"FROM temp.change WHERE part = ?1 AND verdict IN ('less', 'more') LIMIT ?2";
	sqlite3_stmt *st = NULL;
	int ret = prepare_select(db, sql, &st, err);

	if (ret)
		return ret;
	sqlite3_bind_text(st, 1, part, -1, SQLITE_STATIC);
	sqlite3_bind_int(st, 2, ROWS_SHOWN);
	if (sqlite3_step(st) == SQLITE_ROW) {
		sqlite3_reset(st);
		fprintf(out, "\nby %s:\n", part);
		ret = print_table_within(st, REPORT_COLUMNS, out, err);
	} else {
		fprintf(out, "\nby %s: nothing beyond chance\n", part);
	}
	sqlite3_finalize(st);
	return ret;
}

/* Prints the answer. Keeps the comparison in a temporary table, because several queries use it. */
static int print_answer(sqlite3 *db, const char *unit, double noise, FILE *out, struct md_err *err)
{
	static const char *const parts[] = { "thread", "object", "function", "line" };
	sqlite3_stmt *st = NULL;
	int ret;

	sqlite3_exec(db, "PRAGMA query_only=OFF", NULL, NULL,
		     NULL); /* temporary tables; both files are open for reading */
	ret = prepare_diff(db, "CREATE TEMP TABLE change AS SELECT * FROM (", ")", noise, &st, err);
	if (!ret && sqlite3_step(st) != SQLITE_DONE)
		ret = fail_diff(db, err);
	sqlite3_finalize(st);
	if (!ret)
		ret = print_sentences(db, unit, out, err);
	for (size_t i = 0; i < COUNT_OF(parts) && !ret; i++)
		ret = print_part(db, parts[i], out, err);
	if (!ret)
		fprintf(out,
			"-> times in %s; chance is that of the sampling and %.3g %% that two runs "
			"of one program "
			"differ by (--noise); lines move with edits: then the function tells "
			"more\n",
			unit, noise);
	return ret;
}

int diff_print(const struct diff_options *o, FILE *out, struct md_err *err)
{
	sqlite3_stmt *st = NULL;
	const char *unit = "";
	sqlite3 *db = NULL;
	int ret = open_both(o, &db, err);

	if (!ret)
		ret = check_units(db, &unit, err);
	if (!ret && o->format == PRINT_TABLE) {
		ret = print_answer(db, unit, o->noise, out, err);
	} else if (!ret) {
		ret = prepare_diff(db, "", "", o->noise, &st, err);
		if (!ret)
			ret = print_rows(st, o->format, out, err);
		sqlite3_finalize(st);
	}
	sqlite3_close(db);
	return ret;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/diff.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "base/terminal.h"
#include "database/copy.h"
#include "database/open.h"
#include "report/report.h"
#include "report/report_sql.h"
#include "database/short_code.h"

enum { ROWS_SHOWN = 8 };

enum { UNITS, CHANGES, NOTES, PART, MEANS }; /* indices in sql_diff[], the files of sql/diff */

static int fail_diff(sqlite3 *db, struct md_err *err)
{
	return md_fail(err, MD_EDB, "cannot compare: %s", sqlite3_errmsg(db));
}

/*
 * Opens the database of the run before the change of a pair, and attaches that of the run after it
 * as `after`. Before that, opens the latter by itself, which checks that it is a database of memdb.
 */
static int open_pair(const struct diff_options *o, size_t pair, sqlite3 **db, struct md_err *err)
{
	const char *before = o->paths[pair], *after = o->paths[o->pairs + pair];
	sqlite3_stmt *st = NULL;
	char *name = NULL;
	int ret = db_open_readonly(after, db, err);

	if (ret)
		return ret;
	sqlite3_close(*db);
	ret = db_open_readonly(before, db, err);
	if (ret)
		return ret;
	if (asprintf(&name, "%s%s", *after == '/' ? "" : "./", after) < 0)
		return md_nomem(err);
	if (sqlite3_prepare_v2(*db, "ATTACH ? AS after", -1, &st, NULL) ||
	    sqlite3_bind_text(st, 1, name, -1, SQLITE_STATIC) || sqlite3_step(st) != SQLITE_DONE)
		ret = fail_diff(*db, err);
	sqlite3_finalize(st);
	free(name);
	return ret;
}

/* The unit of the costs in both runs. */
struct units {
	char cost[32];    /* for example "ns"; "" if the two runs have different units */
	char reason[160]; /* why the units differ; "" if they do not */
	bool counted;     /* both runs counted every access */
	double noise;     /* default of diff_options.noise */
};

static double noise_of(const struct diff_options *o, const struct units *u)
{
	return o->noise >= 0 ? o->noise : u->noise;
}

static void copy_text(char *out, size_t size, sqlite3_stmt *st, int column)
{
	const char *s = (const char *)sqlite3_column_text(st, column);

	snprintf(out, size, "%s", s ? s : "");
}

static int find_units(sqlite3 *db, struct units *u, struct md_err *err)
{
	sqlite3_stmt *st = NULL;
	int ret = 0;

	if (sqlite3_prepare_v2(db, sql_diff[UNITS].text, -1, &st, NULL) ||
	    sqlite3_step(st) != SQLITE_ROW) {
		ret = fail_diff(db, err);
		goto out;
	}
	copy_text(u->cost, sizeof(u->cost), st, 0);
	copy_text(u->reason, sizeof(u->reason), st, 1);
	u->counted = sqlite3_column_int(st, 2);
	u->noise = sqlite3_column_double(st, 3);
out:
	sqlite3_finalize(st);
	return ret;
}

static int prepare_diff(sqlite3 *db, const char *before, int which, const char *after, double noise,
			sqlite3_stmt **st, struct md_err *err)
{
	char *sql = NULL;
	const char *select = sql_diff[which].text;
	size_t len = strlen(select);
	int ret = 0;

	/* The statement is put between `before` and `after`, so it must not end with ';' */
	while (len && strchr(";\n ", select[len - 1]))
		len--;
	if (asprintf(&sql, "%s%.*s%s", before, (int)len, select, after) < 0)
		return md_nomem(err);
	if (sqlite3_prepare_v2(db, sql, -1, st, NULL))
		ret = fail_diff(db, err);
	else /* without :noise in the statement, its index is 0, which SQLite refuses without harm
	      */
		sqlite3_bind_double(*st, sqlite3_bind_parameter_index(*st, ":noise"), noise);
	free(sql);
	return ret;
}

/* Prepares a SELECT from temp.change or temp.note, the tables that store_changes() makes. */
static int prepare_select(sqlite3 *db, const char *select, sqlite3_stmt **st, struct md_err *err)
{
	if (sqlite3_prepare_v2(db, select, -1, st, NULL))
		return fail_diff(db, err);
	return 0;
}

/* Prints the rows of a query. Each row is one sentence. */
static int print_sentences(sqlite3 *db, const char *select, const char *mark, FILE *out,
			   struct md_err *err)
{
	sqlite3_stmt *st = NULL;
	int ret = prepare_select(db, select, &st, err);

	while (!ret && sqlite3_step(st) == SQLITE_ROW) {
		terminal_sentence(mark, (const char *)sqlite3_column_text(st, 0), out);
		putc('\n', out);
	}
	if (!ret && sqlite3_errcode(db) != SQLITE_DONE)
		ret = fail_diff(db, err);
	sqlite3_finalize(st);
	return ret;
}

static int print_totals(sqlite3 *db, FILE *out, struct md_err *err)
{
	static const char sql[] =
		"SELECT name || iif(unit = 'accesses', printf(': %.0f to %.0f', before, after),"
		"  printf(': %.1f to %.1f ', before, after) || unit)"
		" || iif(before > 0, printf(' (%+.0f %%)', 100 * (after - before) / before), '')"
		" || iif(low IS NULL, '', iif(low = high, printf(', change %+.0f: ', low), "
		"printf(', change %+.1f to %+.1f: ', low, high)) ||"
		"  verdict || iif(low < high AND verdict IN ('less', 'more'), ', beyond chance', "
		"''))"
		" || iif(name = 'wall time', iif(low IS NULL, ': no verdict, which takes three "
		"runs "
		"of each', '') || coalesce((SELECT "
		"printf('; of the threads'' time %.1f %% and %.1f %% passed off the CPU', before, "
		"after)"
		"  FROM temp.change WHERE part = 'run' AND name = 'time off the CPU'), ''), '')"
		" FROM temp.change WHERE part = 'run' AND name NOT IN ('time off the CPU', "
		"'threads at the same time')";

	return print_sentences(db, sql, "", out, err);
}

static bool has_part(sqlite3 *db, const char *part)
{
	sqlite3_stmt *st = NULL;
	bool any = false;

	if (!sqlite3_prepare_v2(db, "SELECT 1 FROM temp.change WHERE part = ?1 LIMIT 1", -1, &st,
				NULL)) {
		sqlite3_bind_text(st, 1, part, -1, SQLITE_STATIC);
		any = sqlite3_step(st) == SQLITE_ROW;
	}
	sqlite3_finalize(st);
	return any;
}

/* Is the current row of sql/diff/3-part.sql, whose last column is the verdict, beyond chance? */
static bool is_beyond(sqlite3_stmt *st)
{
	const char *verdict = (const char *)sqlite3_column_text(st, sqlite3_column_count(st) - 1);

	return verdict && (!strcmp(verdict, "less") || !strcmp(verdict, "more"));
}

/* Prints the line above the table of one part of the comparison. `none` is "" if a change is beyond
 * chance. `within`: the table has changes within chance only. */
static void print_heading(const char *part, const char *none, bool within, FILE *out)
{
	char text[128];

	snprintf(text, sizeof(text), "by %s:%s%s%s", part, *none ? " " : "", none,
		 within ? "; large changes within chance:" : "");
	putc('\n', out);
	terminal_sentence("", text, out);
	putc('\n', out);
}

/* Prints the largest changes of one part of the comparison, for example "lines" or "objects". If
 * none exceeds chance, says so with `none`. Prints nothing if neither run has rows of this part. */
static int print_part(sqlite3 *db, const char *part, const char *none, FILE *out,
		      struct md_err *err)
{
	static const char *const spare[] = { NULL, "was", "is", "before", "after", NULL };
	sqlite3_stmt *st = NULL;
	bool any, beyond;
	int ret;

	if (!has_part(db, part))
		return 0;
	ret = prepare_select(db, sql_diff[PART].text, &st, err);
	if (ret)
		return ret;
	sqlite3_bind_text(st, sqlite3_bind_parameter_index(st, ":part"), part, -1, SQLITE_STATIC);
	sqlite3_bind_int(st, sqlite3_bind_parameter_index(st, ":rows"), ROWS_SHOWN);
	any = sqlite3_step(st) == SQLITE_ROW;
	beyond = any && is_beyond(st);
	sqlite3_reset(st);
	print_heading(part, beyond ? "" : none, any && !beyond, out);
	if (any)
		ret = print_table_within(st, REPORT_COLUMNS, spare, out, err);
	sqlite3_finalize(st);
	return ret;
}

static int print_parts(sqlite3 *db, bool exact, FILE *out, struct md_err *err)
{
	static const struct {
		const char *name;
		bool drawn; /* its costs come from samples that are drawn at random, even if every
			     * access was counted */
	} parts[] = {
		{ "kind of time", false }, { "thread", false },   { "object", false },
		{ "member", true },        { "function", false }, { "line", false },
		{ "matrix", false },
	};
	int ret = 0;

	for (size_t i = 0; i < COUNT_OF(parts) && !ret; i++)
		ret = print_part(db, parts[i].name,
				 exact && !parts[i].drawn ? "no difference"
							  : "nothing beyond chance",
				 out, err);
	return ret;
}

static int store_rows(sqlite3 *db, const char *create, int which, double noise, struct md_err *err)
{
	sqlite3_stmt *st = NULL;
	int ret = prepare_diff(db, create, which, ")", noise, &st, err);

	if (!ret && sqlite3_step(st) != SQLITE_DONE)
		ret = fail_diff(db, err);
	sqlite3_finalize(st);
	return ret;
}

static int fail_units(const struct units *u, struct md_err *err)
{
	return md_fail(err, MD_ENOTSUP, "cannot compare objects and code: %s", u->reason);
}

/* Copies the changes of a pair of runs from temp.change of `from` to temp.pairs of `to`. */
static int copy_pair(sqlite3 *from, sqlite3 *to, size_t pair, struct md_err *err)
{
	struct copy c = { .table = "pairs", .temp = true, .first = UINT64_MAX, .every = 1 };
	sqlite3_stmt *st = NULL;
	int ret = prepare_select(from, "SELECT ? AS pair, * FROM temp.change", &st, err);

	if (!ret) {
		sqlite3_bind_int64(st, 1, (sqlite3_int64)pair);
		ret = copy_rows(st, to, &c, err);
	}
	sqlite3_finalize(st);
	return ret;
}

/* Compares one more pair of runs and adds its changes to temp.pairs of db. */
static int add_pair(sqlite3 *db, const struct diff_options *o, size_t pair, struct md_err *err)
{
	struct units u = { 0 };
	sqlite3 *other = NULL;
	int ret = open_pair(o, pair, &other, err);

	if (!ret)
		ret = find_units(other, &u, err);
	if (!ret && *u.reason)
		ret = fail_units(&u, err);
	if (!ret) {
		/* needed to create temporary tables; the databases remain read-only */
		sqlite3_exec(other, "PRAGMA query_only=OFF", NULL, NULL, NULL);
		ret = store_rows(other, "CREATE TEMP TABLE change AS SELECT * FROM (", CHANGES,
				 noise_of(o, &u), err);
	}
	if (!ret)
		ret = copy_pair(other, db, pair, err);
	sqlite3_close(other);
	return ret;
}

/* Adds the other pairs of runs to temp.pairs, and replaces temp.change, which has the changes of
 * the first pair, by the means of all. */
static int store_means(sqlite3 *db, const struct diff_options *o, struct md_err *err)
{
	int ret = 0;

	for (size_t i = 1; i < o->pairs && !ret; i++)
		ret = add_pair(db, o, i, err);
	if (!ret && sqlite3_exec(db, "DROP TABLE temp.change", NULL, NULL, NULL))
		ret = fail_diff(db, err);
	return ret ? ret
		   : store_rows(db, "CREATE TEMP TABLE change AS SELECT * FROM (", MEANS, 0, err);
}

/* Stores the comparison in the tables temp.change and temp.note, because several queries use it. db
 * is open for the first pair. */
static int store_changes(sqlite3 *db, const struct diff_options *o, double noise,
			 struct md_err *err)
{
	int ret;

	/* needed to create temporary tables; the databases remain read-only */
	sqlite3_exec(db, "PRAGMA query_only=OFF", NULL, NULL, NULL);
	ret = store_rows(db, "CREATE TEMP TABLE change AS SELECT * FROM (", CHANGES, noise, err);
	if (!ret)
		ret = copy_pair(db, db, 0, err);
	if (!ret && o->pairs > 1)
		ret = store_means(db, o, err);
	return ret ? ret
		   : store_rows(db, "CREATE TEMP TABLE note AS SELECT * FROM (", NOTES, noise, err);
}

static int print_answer(sqlite3 *db, const struct diff_options *o, const struct units *u, FILE *out,
			struct md_err *err)
{
	const double noise = noise_of(o, u);
	int ret = store_changes(db, o, noise, err);

	if (!ret)
		ret = print_totals(db, out, err);
	if (!ret && *u->cost)
		ret = print_parts(db, u->counted && noise == 0, out, err);
	if (!ret && *u->cost)
		ret = print_sentences(db, "SELECT text FROM temp.note", "-> ", out, err);
	return ret;
}

/* Prints every change to `out`. Prints on stderr the notes which say that the changes mean
 * nothing. */
static int print_all(sqlite3 *db, const struct diff_options *o, double noise, FILE *out,
		     struct md_err *err)
{
	sqlite3_stmt *st = NULL;
	int ret = store_changes(db, o, noise, err);

	if (!ret)
		ret = prepare_select(db, "SELECT * FROM temp.change", &st, err);
	if (!ret)
		ret = print_rows(st, o->format, out, err);
	sqlite3_finalize(st);
	if (!ret)
		ret = print_sentences(db, "SELECT text FROM temp.note WHERE warns",
				      "memdb diff: ", stderr, err);
	return ret;
}

/* Identifies the recording of a database. */
static void copy_recording(sqlite3 *db, char *out, size_t size)
{
	sqlite3_stmt *st = NULL;

	*out = 0;
	if (!sqlite3_prepare_v2(db,
				"SELECT coalesce(started_realtime_ns, start_ns || '-' || end_ns) "
				"|| coalesce(hostname, '') FROM runs",
				-1, &st, NULL) &&
	    sqlite3_step(st) == SQLITE_ROW)
		copy_text(out, size, st, 0);
	sqlite3_finalize(st);
}

/* Fails if two of several databases are of one recording: the runs would differ less than runs
 * do. */
static int check_runs(const struct diff_options *o, struct md_err *err)
{
	char runs[2 * DIFF_MOST_PAIRS][160];
	sqlite3 *db;
	int ret = 0;

	for (size_t i = 0; i < 2 * o->pairs && o->pairs > 1 && !ret; i++) {
		ret = db_open_readonly(o->paths[i], &db, err);
		if (ret)
			break;
		copy_recording(db, runs[i], sizeof(runs[i]));
		sqlite3_close(db);
		for (size_t k = 0; k < i && !ret; k++)
			if (*runs[i] && !strcmp(runs[i], runs[k]))
				ret = md_fail(err, MD_EUSAGE,
					      "'%s' and '%s' are of one recording: compare runs of "
					      "their own",
					      o->paths[k], o->paths[i]);
	}
	return ret;
}

int diff_open(const struct diff_options *o, sqlite3 **db, struct md_err *err)
{
	struct units u = { 0 };
	int ret = check_runs(o, err);

	*db = NULL;
	if (!ret)
		ret = open_pair(o, 0, db, err);

	if (!ret)
		ret = find_units(*db, &u, err);
	if (!ret && *u.reason)
		ret = fail_units(&u, err);
	return ret ? ret : store_changes(*db, o, noise_of(o, &u), err);
}

int diff_print(const struct diff_options *o, FILE *out, struct md_err *err)
{
	struct units u = { 0 };
	sqlite3 *db = NULL;
	int ret = check_runs(o, err);

	if (!ret)
		ret = open_pair(o, 0, &db, err);
	if (!ret)
		ret = find_units(db, &u, err);
	if (!ret && *u.reason && o->pairs > 1)
		ret = fail_units(&u, err);
	if (!ret)
		ret = o->format == PRINT_TABLE ? print_answer(db, o, &u, out, err)
					       : print_all(db, o, noise_of(o, &u), out, err);
	if (!ret && *u.reason)
		ret = fail_units(&u, err);
	sqlite3_close(db);
	return ret;
}

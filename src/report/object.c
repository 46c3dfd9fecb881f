/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints the report on one object: what it is, which parts of it each thread accesses, and the
 * lines and threads that access it or touch its pages first.
 */
#include "report/object.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/terminal.h"
#include "database/kept.h"
#include "database/named.h"
#include "database/print.h"
#include "report/report.h"
#include "report/report_sql.h"

enum { BINS = 64, FEWEST_BINS = 8, BAR_FRAME = 11, THREADS_DRAWN = 16 };

enum { NAMESAKES }; /* index in sql_object[], the files of sql/object */

static int fail_object(sqlite3 *db, const char *what, struct md_err *err)
{
	return md_fail(err, MD_EDB, "cannot ask for '%s': %s", what, sqlite3_errmsg(db));
}

int object_find(sqlite3 *db, const char *name, sqlite3_int64 *id, struct md_err *err)
{
	static const char sql[] = "SELECT o.id FROM objects AS o LEFT JOIN object_costs AS c ON "
				  "c.object_id = o.id "
				  "WHERE CAST(o.id AS TEXT) = ?1 OR o.name = ?1 "
				  "ORDER BY CAST(o.id AS TEXT) = ?1 DESC, c.rank IS NULL, c.rank, "
				  "o.id LIMIT 1";
	sqlite3_stmt *st = NULL;
	char *found = NULL;
	int ret = named_find(db, NAMED_OBJECT, name, &found, err);

	if (ret)
		return ret;
	if (sqlite3_prepare_v2(db, sql, -1, &st, NULL) ||
	    sqlite3_bind_text(st, 1, found, -1, SQLITE_STATIC) || sqlite3_step(st) != SQLITE_ROW)
		ret = fail_object(db, "objects", err);
	else
		*id = sqlite3_column_int64(st, 0);
	sqlite3_finalize(st);
	free(found);
	return ret;
}

/* Views that several of the statements read. */
static const char *const kept[] = { "object_sharing", "object_patterns", "object_hints",
				    "object_layouts", NULL };

/* The object, and the number of parts into which it is divided: as many as the terminal has room
 * for next to the BAR_FRAME columns of the thread's number. */
struct asked {
	sqlite3_int64 id;
	int bins;
};

static int bins_within(int columns)
{
	if (!columns || columns >= BINS + BAR_FRAME)
		return BINS;
	return columns > FEWEST_BINS + BAR_FRAME ? columns - BAR_FRAME : FEWEST_BINS;
}

static void bind_object(sqlite3_stmt *st, const void *arg)
{
	const struct asked *a = arg;

	sqlite3_bind_int64(st, sqlite3_bind_parameter_index(st, ":id"), a->id);
	sqlite3_bind_int(st, sqlite3_bind_parameter_index(st, ":bins"), a->bins);
}

static int prepare_query(sqlite3 *db, const struct sql_file *f, struct asked a, sqlite3_stmt **st,
			 struct md_err *err)
{
	return kept_prepare(db, f->text, bind_object, &a, st) ? fail_object(db, f->name, err) : 0;
}

/* Prints a line of n bars, one for each of the equal parts into which the object is divided. The
 * height of a bar shows its value in `bins` relative to the largest value. */
static void draw_bins(const char *title, const double *bins, int n, FILE *out)
{
	static const char *const blocks[] = { " ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
	double most = 1;

	for (int i = 0; i < n; i++)
		most = bins[i] > most ? bins[i] : most;
	fprintf(out, "%8s |", title);
	for (int i = 0; i < n; i++)
		fputs(blocks[(int)ceil(bins[i] * 8 / most)], out);
	fputs("|\n", out);
}

static void print_title(const char *title, FILE *out)
{
	putc('\n', out);
	terminal_sentence("", title, out);
	fputs(":\n", out);
}

/* Prints how often each part of the object was accessed: a line of bars for all threads together,
 * and then one line for each thread. Prints at most THREADS_DRAWN lines. */
static int draw_parts(sqlite3_stmt *st, FILE *out)
{
	char title[16] = "";
	double bins[BINS] = { 0 };
	sqlite3_int64 id = 0;
	int lines = 0, n = 0, rc;

	while ((rc = sqlite3_step(st)) == SQLITE_ROW && lines <= THREADS_DRAWN) {
		const char *thread = (const char *)sqlite3_column_text(st, 1);
		const char *next = thread ? thread : "all";
		int bin = sqlite3_column_int(st, 2);

		if (!*title || sqlite3_column_int64(st, 0) != id) {
			n = sqlite3_column_int(st, 4);
			if (*title)
				draw_bins(title, bins, n, out);
			else
				print_title((const char *)sqlite3_column_text(st, 5), out);
			snprintf(title, sizeof(title), "%s", next);
			memset(bins, 0, sizeof(bins));
			id = sqlite3_column_int64(st, 0);
			lines++;
		}
		if (bin >= 0 && bin < BINS)
			bins[bin] = sqlite3_column_double(st, 3);
	}
	if (*title && rc == SQLITE_DONE)
		draw_bins(title, bins, n, out);
	return rc == SQLITE_ROW ? SQLITE_DONE : rc;
}

static int print_section(sqlite3 *db, const struct sql_file *f, sqlite3_int64 id, FILE *out,
			 struct md_err *err)
{
	static const char *const spare[] = { NULL, "stores", "loads", "drawn", "samples", NULL };
	sqlite3_stmt *st = NULL;
	const struct asked asked = { id, bins_within(terminal_columns(out)) };
	int ret = prepare_query(db, f, asked, &st, err), rc;

	if (ret)
		return ret;
	if (strstr(f->name, "facts")) {
		while ((rc = sqlite3_step(st)) == SQLITE_ROW) {
			const char *s = (const char *)sqlite3_column_text(st, 0);

			if (!s)
				continue;
			terminal_sentence("", s, out);
			putc('\n', out);
		}
		ret = rc == SQLITE_DONE ? 0 : fail_object(db, f->name, err);
	} else if (strstr(f->name, "parts")) {
		ret = draw_parts(st, out) == SQLITE_DONE ? 0 : fail_object(db, f->name, err);
	} else if (sqlite3_step(st) == SQLITE_ROW) {
		sqlite3_reset(st);
		putc('\n', out);
		ret = print_table_within(st, REPORT_COLUMNS, spare, out, err);
	}
	sqlite3_finalize(st);
	return ret;
}

enum { MOST_NAMESAKES = 10 }; /* rows that sql/object/0-namesakes.sql returns at most */

/* Sets *n to the number of objects that have the name of object `id`, and *name to this name, which
 * the caller frees. */
static int count_namesakes(sqlite3 *db, sqlite3_int64 id, int *n, char **name, struct md_err *err)
{
	static const char sql[] = "SELECT count(*), max(name) FROM objects WHERE name = (SELECT "
				  "name FROM objects WHERE id = ?1)";
	const char *text;
	sqlite3_stmt *st = NULL;
	int ret = 0;

	if (sqlite3_prepare_v2(db, sql, -1, &st, NULL) || sqlite3_bind_int64(st, 1, id) ||
	    sqlite3_step(st) != SQLITE_ROW)
		ret = fail_object(db, "objects", err);
	else
		*n = sqlite3_column_int(st, 0);
	text = *n ? (const char *)sqlite3_column_text(st, 1) : NULL;
	*name = text ? strdup(text) : NULL;
	sqlite3_finalize(st);
	return ret || *name || !*n ? ret : md_nomem(err);
}

static void print_namesakes(const char *name, int n, const char *own, FILE *out)
{
	char *text = NULL;

	if (asprintf(&text,
		     "%d objects are named '%s'%s; the following is about %s, --object ID asks for "
		     "another:",
		     n, name, n > MOST_NAMESAKES ? ", those that cost most are listed" : "",
		     own) < 0)
		return;
	terminal_sentence("", text, out);
	fputs("\n\n", out);
	free(text);
}

int object_print_namesakes(sqlite3 *db, const char *typed, sqlite3_int64 id, FILE *out,
			   struct md_err *err)
{
	sqlite3_stmt *st = NULL;
	char own[24], *name = NULL;
	int n = 0, ret;

	snprintf(own, sizeof(own), "%lld", (long long)id);
	if (!strcmp(own, typed))
		return 0;
	ret = count_namesakes(db, id, &n, &name, err);
	if (ret || n < 2) {
		free(name);
		return ret;
	}
	ret = prepare_query(db, &sql_object[NAMESAKES], (struct asked){ .id = id }, &st, err);
	if (!ret) {
		print_namesakes(name, n, own, out);
		ret = print_table_within(st, REPORT_COLUMNS, NULL, out, err);
		putc('\n', out);
	}
	free(name);
	sqlite3_finalize(st);
	return ret;
}

int report_object(const char *path, const struct selection *s, const char *name, FILE *out,
		  struct md_err *err)
{
	sqlite3 *db = NULL;
	sqlite3_int64 id = 0;
	int ret = select_open(path, s, &db, err);

	if (ret)
		goto out;
	ret = object_find(db, name, &id, err);
	if (ret)
		goto out;
	ret = kept_store(db, kept, err);
	if (ret)
		goto out;
	print_selection(db, out);
	ret = object_print_namesakes(db, name, id, out, err);
	for (const struct sql_file *f = sql_object + NAMESAKES + 1; !ret && f->name; f++)
		ret = print_section(db, f, id, out, err);
out:
	sqlite3_close(db);
	return ret;
}

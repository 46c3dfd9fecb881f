/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints the summary: what `memdb report` prints without options. Its sentences and tables come
 * from the SQL files in sql/report, in the order of their names.
 */
#include "report/report.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/terminal.h"
#include "database/kept.h"
#include "database/print.h"
#include "report/report_sql.h"

enum { LABEL_COLUMNS = 13 }; /* of the longest label, "page faults:", and a space */

/* Views that several of the statements read. */
static const char *const kept[] = { "drawn_samples",    "time_spent",    "shared_lines",
				    "object_sharing",   "first_touches", "object_patterns",
				    "object_placement", "object_hints",  NULL };

static void bind_by(sqlite3_stmt *st, const void *by)
{
	/* if the statement has no :by, its index is 0, which SQLite refuses without harm */
	sqlite3_bind_text(st, sqlite3_bind_parameter_index(st, ":by"), by, -1, SQLITE_STATIC);
}

static int prepare_query(sqlite3 *db, const struct sql_file *f, const char *by, sqlite3_stmt **st,
			 struct md_err *err)
{
	if (kept_prepare(db, f->text, bind_by, by, st))
		return md_fail(err, MD_EDB, "cannot ask for '%s': %s", f->name, sqlite3_errmsg(db));
	return 0;
}

/* Prints a sentence "LABEL: TEXT" with the text in a column of its own. A sentence without a label,
 * or with a longer one, is printed as it is. */
static void print_labelled(const char *s, FILE *out)
{
	const int len = (int)strcspn(s, ":") + 1;
	char label[LABEL_COLUMNS + 1] = "";

	if (len < LABEL_COLUMNS && s[len - 1] && s[len] == ' ') {
		snprintf(label, sizeof(label), "%-*.*s", LABEL_COLUMNS, len, s);
		s += len + 1;
	}
	terminal_mark(out, strncmp(s, "worth it", 8) ? TERMINAL_PLAIN : TERMINAL_ANSWER);
	terminal_sentence(label, s, out);
}

/* Prints one sentence of the part `part` of the report. */
static void print_sentence(const char *part, const char *s, FILE *out)
{
	if (strstr(part, "hints")) {
		terminal_mark(out, TERMINAL_HINT);
		terminal_sentence("-> ", s, out);
	} else if (strstr(part, "verdict")) {
		putc('\n', out);
		terminal_mark(out, TERMINAL_ANSWER);
		terminal_sentence("", s, out);
	} else {
		print_labelled(s, out);
	}
	terminal_mark(out, TERMINAL_PLAIN);
	putc('\n', out);
}

/* Prints the rows of a statement. Each row is one sentence. */
static int print_sentences(sqlite3 *db, const struct sql_file *f, FILE *out, struct md_err *err)
{
	sqlite3_stmt *st = NULL;
	int ret = prepare_query(db, f, NULL, &st, err);

	while (!ret && sqlite3_step(st) == SQLITE_ROW) {
		const char *s = (const char *)sqlite3_column_text(st, 0);

		if (s)
			print_sentence(f->name, s, out);
	}
	if (!ret && sqlite3_errcode(db) != SQLITE_DONE && sqlite3_errcode(db) != SQLITE_OK)
		ret = md_fail(err, MD_EDB, "cannot ask for '%s': %s", f->name, sqlite3_errmsg(db));
	sqlite3_finalize(st);
	return ret;
}

const char *const report_groups[] = { "site", "path", "type", "wrapper", NULL };

static int print_table(sqlite3 *db, const struct sql_file *f, const char *by, FILE *out,
		       struct md_err *err)
{
	/* what tells how certain a cost is goes last */
	static const char *const spare[] = { "samples", "size",    "threads", NULL,   "nodes",
					     "site",    "pattern", "at most", "95 %", NULL };
	sqlite3_stmt *st = NULL;
	int ret = prepare_query(db, f, by, &st, err);

	if (!ret) {
		fputc('\n', out);
		ret = print_table_within(st, REPORT_COLUMNS, spare, out, err);
	}
	sqlite3_finalize(st);
	return ret;
}

static int has_samples(sqlite3 *db, bool *has, struct md_err *err)
{
	static const struct sql_file question = { "samples", "SELECT 1 FROM totals LIMIT 1" };
	sqlite3_stmt *st = NULL;
	int ret = prepare_query(db, &question, NULL, &st, err);

	if (!ret) {
		*has = sqlite3_step(st) == SQLITE_ROW;
		if (!*has && sqlite3_errcode(db) != SQLITE_DONE)
			ret = md_fail(err, MD_EDB, "cannot read the samples: %s",
				      sqlite3_errmsg(db));
	}
	sqlite3_finalize(st);
	return ret;
}

void print_selection(sqlite3 *db, FILE *out)
{
	char sentence[512];

	select_sentence(db, sentence, sizeof(sentence));
	if (!*sentence)
		return;
	terminal_mark(out, TERMINAL_ANSWER);
	terminal_sentence("", sentence, out);
	terminal_mark(out, TERMINAL_PLAIN);
	putc('\n', out);
}

int report_summary(const char *path, const struct selection *s, const char *by, FILE *out,
		   struct md_err *err)
{
	sqlite3 *db = NULL;
	int ret = select_open(path, s, &db, err);
	bool samples = false;

	if (!ret)
		ret = has_samples(db, &samples, err);
	if (!ret)
		ret = kept_store(db, kept, err);
	if (!ret)
		print_selection(db, out);
	for (const struct sql_file *f = sql_report; !ret && f->name; f++) {
		if (!strstr(f->name, "objects") && !strstr(f->name, "lines"))
			ret = print_sentences(db, f, out, err);
		else if (samples)
			ret = print_table(db, f, by, out, err);
	}
	sqlite3_close(db);
	return ret;
}

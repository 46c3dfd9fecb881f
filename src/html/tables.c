/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "html/tables.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "database/copy.h"
#include "database/query.h"
#include "database/select.h"
#include "report/report_sql.h"

/* What the functions here share while they make the page's tables: the database of the recording
 * (run), the database of the page (page), and how many times the limits on rows are halved
 * (shrink). */
struct maker {
	sqlite3 *run, *page;
	unsigned shrink;
	struct html_result *result;
	struct md_err *err;
};

static int fail_table(struct maker *m, sqlite3 *db, const char *what)
{
	return md_fail(m->err, MD_EDB, "cannot make the page's '%s': %s", what, sqlite3_errmsg(db));
}

static int execute_sql(struct maker *m, const char *sql, const char *what)
{
	return sqlite3_exec(m->page, sql, NULL, NULL, NULL) ? fail_table(m, m->page, what) : 0;
}

static uint64_t header_number(const struct sql_file *f, const char *key)
{
	const char *text;

	return query_header(f, key, 0, &text) ? strtoull(text, NULL, 10) : 0;
}

/* Returns limit / 2^m->shrink, but at least 1. */
static uint64_t shrunk_limit(const struct maker *m, uint64_t limit)
{
	return limit >> m->shrink ? limit >> m->shrink : 1;
}

static int count_rows(struct maker *m, const struct sql_file *f, uint64_t *rows)
{
	sqlite3_stmt *st = NULL;
	int rc = sqlite3_prepare_v2(m->run, f->text, -1, &st, NULL);

	for (*rows = 0; !rc && (rc = sqlite3_step(st)) == SQLITE_ROW; rc = 0)
		++*rows;
	sqlite3_finalize(st);
	return rc && rc != SQLITE_DONE ? fail_table(m, m->run, f->name) : 0;
}

static int set_limits(struct maker *m, const struct sql_file *f, struct copy *c)
{
	uint64_t draw = header_number(f, "draw"), rows;
	int ret;

	c->first = UINT64_MAX;
	c->every = 1;
	if (!draw) {
		c->first = shrunk_limit(m, header_number(f, "keep"));
		return 0;
	}
	ret = count_rows(m, f, &rows);
	if (!ret && rows)
		c->every = (rows + shrunk_limit(m, draw) - 1) / shrunk_limit(m, draw);
	return ret;
}

/* Copies the rows of `st` into a table of the page (c->table), and finalizes `st`. */
static int copy_table(struct maker *m, sqlite3_stmt *st, struct copy *c)
{
	int ret = copy_rows(st, m->page, c, m->err);

	sqlite3_finalize(st);
	return ret;
}

/* Adds a row about a table of the page to the page's table `contents`: name, summary, number of
 * rows in the recording and in the page, and the SELECT that made the table. */
static int put_contents(struct maker *m, const struct sql_file *f, const struct copy *c)
{
	struct copy row = { .table = "contents", .first = UINT64_MAX, .every = 1 };
	sqlite3_stmt *st = NULL;
	const char *summary;
	int len = query_header(f, "summary", 0, &summary);

	if (sqlite3_prepare_v2(m->page,
			       "SELECT ? AS name, ? AS summary, ? AS rows, ? AS kept, ? AS made_by",
			       -1, &st, NULL))
		return fail_table(m, m->page, f->name);
	sqlite3_bind_text(st, 1, f->name, -1, SQLITE_STATIC);
	sqlite3_bind_text(st, 2, summary, len, SQLITE_STATIC);
	sqlite3_bind_int64(st, 3, (sqlite3_int64)c->rows);
	sqlite3_bind_int64(st, 4, (sqlite3_int64)c->kept);
	sqlite3_bind_text(st, 5, f->text, -1, SQLITE_STATIC);
	return copy_table(m, st, &row);
}

static int put_table(struct maker *m, const struct sql_file *f)
{
	struct copy c = { .table = f->name };
	sqlite3_stmt *st = NULL;
	int ret = set_limits(m, f, &c);

	if (ret)
		return ret;
	if (sqlite3_prepare_v2(m->run, f->text, -1, &st, NULL))
		return fail_table(m, m->run, f->name);
	ret = copy_table(m, st, &c);
	if (ret)
		return ret;
	if (header_number(f, "draw")) {
		m->result->rows = c.rows;
		m->result->kept = c.kept;
	}
	return put_contents(m, f, &c);
}

/*
 * Adds the rows of an SQL file f of memdb as a table of the page. The statement is `before`, the
 * SELECT of the file, and `after`, in which `part` (if not NULL) is bound to "?". `before` and
 * `after` are parts of memdb, not input of the user, so nothing needs quoting.
 */
static int put_select(struct maker *m, const char *table, const char *before,
		      const struct sql_file *f, const char *after, const char *part)
{
	struct copy c = { .table = table, .first = UINT64_MAX, .every = 1 };
	sqlite3_str *sql = sqlite3_str_new(m->run);
	sqlite3_stmt *st = NULL;
	char *text;
	int rc;

	sqlite3_str_appendall(sql, before);
	sqlite3_str_append(sql, f->text, (int)(strrchr(f->text, ';') - f->text));
	sqlite3_str_appendall(sql, after);
	text = sqlite3_str_finish(sql);
	if (!text)
		return md_nomem(m->err);
	rc = sqlite3_prepare_v2(m->run, text, -1, &st, NULL);
	sqlite3_free(text);
	if (rc)
		return fail_table(m, m->run, f->name);
	if (part)
		sqlite3_bind_text(st, 1, part, -1, SQLITE_STATIC);
	return copy_table(m, st, &c);
}

/* Adds the sentences of the report: the rows of the SQL files of sql/report whose names contain one
 * of `parts`. Each of these files returns one text column. */
static int put_sentences(struct maker *m)
{
	static const char *const parts[] = { "headline", "verdict", "worth", "hints" };
	int ret = 0;

	for (const struct sql_file *f = sql_report; f->name && !ret; f++)
		for (size_t i = 0; i < COUNT_OF(parts) && !ret; i++)
			if (strstr(f->name, parts[i]))
				ret = put_select(m, "sentences",
						 "WITH page_sentences (sentence) AS (", f,
						 ") SELECT ? AS part, sentence FROM page_sentences "
						 "WHERE sentence IS NOT NULL",
						 parts[i]);
	return ret;
}

/* Adds a sentence about which samples the page shows, unless it shows all. */
static int put_selection(struct maker *m)
{
	static const struct sql_file f = { "selection", "SELECT sentence FROM selection;" };
	char sentence[512];

	select_sentence(m->run, sentence, sizeof(sentence));
	return *sentence ? put_select(m, "sentences", "WITH page_sentences (sentence) AS (", &f,
				      ") SELECT ? AS part, sentence FROM page_sentences", f.name)
			 : 0;
}

static int put_all(struct maker *m)
{
	const struct sql_file *facts = query_find("run");
	int ret = execute_sql(m, "BEGIN", "tables");

	for (const struct sql_file *f = sql_page; f->name && !ret; f++)
		ret = put_table(m, f);
	if (!ret)
		ret = put_sentences(m);
	if (!ret)
		ret = put_selection(m);
	if (!ret)
		ret = put_select(m, "facts", "", facts, "", NULL);
	return ret ? ret : execute_sql(m, "COMMIT", "tables");
}

int tables_make(sqlite3 *run, unsigned shrink, unsigned char **image, size_t *size,
		struct html_result *result, struct md_err *err)
{
	struct maker m = { .run = run, .shrink = shrink, .result = result, .err = err };
	sqlite3_int64 n = 0;
	int ret;

	*image = NULL;
	if (sqlite3_open(":memory:", &m.page)) {
		sqlite3_close(m.page);
		return md_nomem(err);
	}
	ret = put_all(&m);
	if (!ret) {
		*image = sqlite3_serialize(m.page, "main", &n, 0);
		*size = (size_t)n;
		ret = *image ? 0 : md_nomem(err);
	}
	sqlite3_close(m.page);
	return ret;
}

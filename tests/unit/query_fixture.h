/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Helpers of test_query.c and test_query_print.c: they run queries and check the printed text. */
#ifndef MEMDB_TEST_QUERY_FIXTURE_H
#define MEMDB_TEST_QUERY_FIXTURE_H

#include "base/escape.h"
#include "database/open.h"
#include "database/print.h"
#include "database/query.h"
#include "database/writer.h"

#include "check_main.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct sql_file params_query = {
	"params", "-- query: params\n-- param: top 20 rows\n-- param: name - a name\n"
		  "SELECT coalesce(:top, 20), typeof(:top), :name, typeof(:name);\n"
};

/* Runs params_query with n parameters NAME=VALUE and checks that its only row is `want`. */
static inline void check_params(const char *const *params, int n, const char *want)
{
	struct md_err err = { 0 };
	sqlite3_stmt *st;
	sqlite3 *db;
	char got[256];

	ck_assert_int_eq(sqlite3_open(":memory:", &db), SQLITE_OK);
	ck_assert_msg(!query_prepare(db, &params_query, params, n, &st, &err), "%s", err.msg);
	ck_assert_int_eq(sqlite3_step(st), SQLITE_ROW);
	snprintf(got, sizeof(got), "%s %s %s %s", (char *)sqlite3_column_text(st, 0),
		 (char *)sqlite3_column_text(st, 1), (char *)sqlite3_column_text(st, 2),
		 (char *)sqlite3_column_text(st, 3));
	ck_assert_str_eq(got, want);
	sqlite3_finalize(st);
	sqlite3_close(db);
}

static inline char *print(const char *sql, enum print_format format)
{
	struct md_err err = { 0 };
	sqlite3_stmt *st;
	sqlite3 *db;
	char *text = NULL;
	size_t n;
	FILE *out = open_memstream(&text, &n);

	ck_assert_int_eq(sqlite3_open(":memory:", &db), SQLITE_OK);
	ck_assert_msg(!sqlite3_prepare_v2(db, sql, -1, &st, NULL), "%s", sqlite3_errmsg(db));
	ck_assert_msg(!print_rows(st, format, out, &err), "%s", err.msg);
	fclose(out);
	sqlite3_finalize(st);
	sqlite3_close(db);
	return text;
}

static inline void check_print(const char *sql, enum print_format format, const char *want)
{
	char *got = print(sql, format);

	ck_assert_str_eq(got, want);
	free(got);
}

static const char rows[] =
	"SELECT 'worker' AS function, 5 AS n, 1.5 AS avg UNION ALL SELECT 'né', 1234, NULL "
	"UNION ALL SELECT '字', NULL, 10.25";

/* A query with two columns of 200 characters. A table shortens such texts in the middle; other
 * formats do not. */
static const char long_texts[] =
	"WITH a (t) AS (SELECT 'begin' || replace(hex(zeroblob(95)), '00', 'xy') || 'finis') "
	"SELECT t AS a, 1 AS n, t AS b FROM a";

/* Checks the text that escape_text() prints for s, and that escape_width() returns its width in
 * columns. */
static inline void check_escape(const char *s, const char *want, int width)
{
	char *text = NULL;
	size_t n;
	FILE *out = open_memstream(&text, &n);

	escape_text(s, out);
	fclose(out);
	ck_assert_str_eq(text, want);
	ck_assert_int_eq(escape_width(s), width);
	free(text);
}

static inline void check_utf8(const char *s, const char *want)
{
	char text[64] = "";

	ck_assert_uint_eq(escape_utf8_size(s), strlen(want));
	escape_utf8(s, text);
	ck_assert_str_eq(text, want);
}

static inline void check_shell(const char *s, const char *want)
{
	char *text = NULL;
	size_t n;
	FILE *out = open_memstream(&text, &n);

	escape_shell(s, out);
	fclose(out);
	ck_assert_str_eq(text, want);
	free(text);
}

/* Checks that s, cut to at most `max` columns of a terminal, becomes `want`, which is `width`
 * columns wide. */
static inline void check_cut(const char *s, int max, const char *want, int width)
{
	struct escape_cut cut = escape_cut(s, max);
	char *text = NULL;
	size_t n;
	FILE *out = open_memstream(&text, &n);

	escape_text_cut(s, &cut, out);
	fclose(out);
	ck_assert_str_eq(text, want);
	ck_assert_int_eq(cut.width, width);
	ck_assert_int_eq(escape_width(text), width);
	free(text);
}

#endif

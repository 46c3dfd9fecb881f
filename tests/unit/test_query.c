/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opening a database, preparing a canned query, printing its rows. */
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

static char path[] = "/tmp/test-query.XXXXXX";

static void make_file(const void *bytes, size_t n)
{
	int fd;

	strcpy(path + sizeof(path) - 7, "XXXXXX");
	fd = mkstemp(path);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, bytes, n), (ssize_t)n);
	close(fd);
}

static void make_database(const char *sql)
{
	struct md_err err = { 0 };
	struct writer *w;
	sqlite3 *db;

	make_file("", 0);
	ck_assert_msg(!writer_open(path, false, &w, &err), "%s", err.msg);
	ck_assert_msg(!writer_finish(w, NULL, NULL, &err), "%s", err.msg);
	ck_assert_int_eq(sqlite3_open(path, &db), SQLITE_OK);
	ck_assert_int_eq(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(db);
}

/* Opening `path` must fail with this code and a sentence that has both words. */
static void refuse(const char *file, int code, const char *word)
{
	struct md_err err = { 0 };
	sqlite3 *db;

	ck_assert_int_eq(db_open_readonly(file, &db, &err), code);
	ck_assert_ptr_null(db);
	ck_assert_msg(strstr(err.msg, file) && strstr(err.msg, word), "'%s' without '%s'", err.msg,
		      word);
	ck_assert_int_eq(db_open_readonly(file, &db, NULL), code);
}

START_TEST(what_is_no_memdb_database_is_refused)
{
	refuse("/nowhere/run.db", MD_EIO, "No such file");
	refuse("/tmp", MD_EIO, "not a regular file");
	make_file("", 0);
	refuse(path, MD_EFORMAT, "empty");
	unlink(path);
	make_file("PERFILE2, or any other text that is no database", 47);
	refuse(path, MD_EFORMAT, "not an SQLite database");
	unlink(path);
	make_database("PRAGMA application_id=1");
	refuse(path, MD_EFORMAT, "not a memdb database");
	unlink(path);
	make_database("PRAGMA user_version=1");
	refuse(path, MD_ENOTSUP, "schema version 1, this memdb reads 5: import the capture again");
	unlink(path);
	make_database("PRAGMA user_version=7");
	refuse(path, MD_ENOTSUP, "schema version 7, this memdb reads 5: take a newer memdb");
	unlink(path);
	make_database("DROP TABLE runs");
	refuse(path, MD_EFORMAT, "damaged");
	unlink(path);
}
END_TEST

/* Any page may be damaged: opening and running a query ends, with rows or an error. Each page meets
 * every EVERYth query, and each query every EVERYth page: to prepare them all takes most of the
 * time. */
START_TEST(damaged_databases_end_in_rows_or_an_error)
{
	enum { EVERY = 5 };
	unsigned first = 0;
	struct stat st;
	FILE *out = fopen("/dev/null", "w");

	ck_assert_ptr_nonnull(out);
	make_database("INSERT INTO losses VALUES (1, 'perf', 'lost', 1, NULL)");
	ck_assert_int_eq(stat(path, &st), 0);
	for (off_t at = 16; at < st.st_size; at += (SANITIZED ? 4 : 1) * (4096 + 13)) {
		int fd = open(path, O_RDWR);
		char old[16], bad[16];
		struct md_err err = { 0 };
		sqlite3 *db;

		ck_assert_int_eq(pread(fd, old, sizeof(old), at), sizeof(old));
		memset(bad, 0xa5, sizeof(bad));
		ck_assert_int_eq(pwrite(fd, bad, sizeof(bad), at), sizeof(bad));
		if (!db_open_readonly(path, &db, &err)) {
			unsigned turn = first++;

			for (const struct sql_file *q = sql_queries; q->name; q++) {
				sqlite3_stmt *s;

				if (turn++ % EVERY)
					continue;
				if (!query_prepare(db, q, NULL, 0, &s, &err))
					print_rows(s, PRINT_TABLE, out, &err);
				sqlite3_finalize(s);
			}
			sqlite3_close(db);
		} else {
			ck_assert_str_ne(err.msg, "");
		}
		ck_assert_int_eq(pwrite(fd, old, sizeof(old), at), sizeof(old));
		close(fd);
	}
	fclose(out);
	unlink(path);
}
END_TEST

START_TEST(the_database_cannot_be_changed)
{
	sqlite3 *db;

	make_database("");
	ck_assert_int_eq(db_open_readonly(path, &db, NULL), 0);
	ck_assert_int_ne(sqlite3_exec(db, "DELETE FROM losses", NULL, NULL, NULL), SQLITE_OK);
	ck_assert_int_ne(sqlite3_exec(db, "CREATE TABLE x (a)", NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(db);
	unlink(path);
}
END_TEST

START_TEST(names_are_found_and_suggested)
{
	ck_assert_str_eq(query_find("coverage")->name, "coverage");
	ck_assert_ptr_null(query_find("coverag"));
	ck_assert_ptr_null(query_find(""));
	ck_assert_str_eq(query_suggest("coverag")->name, "coverage");
	ck_assert_str_eq(query_suggest("acces_matrices")->name, "access_matrix");
	ck_assert_str_eq(query_suggest("touch")->name, "first_touch");
	ck_assert_ptr_null(query_suggest("zzzzzzzzzzzz"));
	ck_assert_ptr_null(query_suggest("a-name-longer-than-any-query-has-and-than-the-table-that-"
					 "compares-two-names"));
}
END_TEST

START_TEST(headers_are_read)
{
	const struct sql_file q = { "x",
				    "-- query:   x\n-- summary:  Some rows. \n-- param: a 1 b\n"
				    "-- param: b - c\nSELECT 1;\n-- param: no 1 2\n" };
	const char *text;

	ck_assert_int_eq(query_header(&q, "summary", 0, &text), 10);
	ck_assert_int_eq(strncmp(text, "Some rows.", 10), 0);
	ck_assert_int_eq(query_header(&q, "param", 1, &text), 5);
	ck_assert_int_eq(strncmp(text, "b - c", 5), 0);
	ck_assert_int_eq(query_header(&q, "param", 2, &text), 0);
	ck_assert_int_eq(query_header(&q, "column", 0, &text), 0);
}
END_TEST

static const struct sql_file params_query = {
	"params", "-- query: params\n-- param: top 20 rows\n-- param: name - a name\n"
		  "SELECT coalesce(:top, 20), typeof(:top), :name, typeof(:name);\n"
};

/* The row of params_query with these parameters. */
static void check_params(const char *const *params, int n, const char *want)
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

static void refuse_param(const struct sql_file *q, const char *param, int code, const char *message)
{
	struct md_err err = { 0 };
	sqlite3_stmt *st;
	sqlite3 *db;

	ck_assert_int_eq(sqlite3_open(":memory:", &db), SQLITE_OK);
	ck_assert_int_eq(query_prepare(db, q, &param, 1, &st, &err), code);
	ck_assert_ptr_null(st);
	ck_assert_str_eq(err.msg, message);
	sqlite3_close(db);
}

START_TEST(parameters_are_bound_by_name_and_kind)
{
	const char *const both[] = { "name=a'; DROP=1", "top=5" };
	const char *const number[] = { "name=0x10" };
	const char *const empty[] = { "name=" };

	check_params(NULL, 0, "20 null (null) null");
	check_params(both, 2, "5 integer a'; DROP=1 text");
	check_params(number, 1, "20 null 16 integer");
	check_params(empty, 1, "20 null  text");
}
END_TEST

START_TEST(parameters_that_make_no_sense_are_refused)
{
	const struct sql_file none = { "none", "-- query: none\nSELECT 1;" };
	const struct sql_file bad = { "bad", "-- query: bad\n-- param: top 1 x\nSELECT FROM;" };
	const struct sql_file by = { "by", "-- query: by\n-- param: of - x\n-- param: by - y\n"
					   "-- values: of no\n-- values: by run, line, two words\n"
					   "SELECT :by, :of;" };
	const struct sql_file object = { "object",
					 "-- query: object\n-- param: object - the object\n"
					 "SELECT :object;" };

	refuse_param(&params_query, "top=many", MD_EUSAGE,
		     "parameter 'top' needs a whole number from 0 to 9223372036854775807, "
		     "not 'many'");
	refuse_param(&params_query, "top=", MD_EUSAGE,
		     "parameter 'top' needs a whole number from 0 to 9223372036854775807, "
		     "not ''");
	refuse_param(&params_query, "top=99999999999999999999", MD_EUSAGE,
		     "parameter 'top' needs a whole number from 0 to 9223372036854775807, "
		     "not '99999999999999999999'");
	refuse_param(&params_query, "top=-1", MD_EUSAGE,
		     "parameter 'top' needs a whole number from 0 to 9223372036854775807, "
		     "not '-1'");
	refuse_param(&params_query, "to=1", MD_EUSAGE,
		     "query 'params' has no parameter 'to'; it has: top, name");
	refuse_param(&params_query, "=1", MD_EUSAGE,
		     "query 'params' has no parameter ''; it has: top, name");
	refuse_param(&params_query, "top", MD_EUSAGE, "'top' is no parameter: write NAME=VALUE");
	refuse_param(&none, "top=1", MD_EUSAGE, "query 'none' has no parameters");
	refuse_param(&by, "by=lin", MD_EUSAGE,
		     "parameter 'by' is one of run, line, two words; not 'lin'");
	refuse_param(&by, "by=", MD_EUSAGE,
		     "parameter 'by' is one of run, line, two words; not ''");
	refuse_param(&by, "by=words", MD_EUSAGE,
		     "parameter 'by' is one of run, line, two words; not 'words'");
	refuse_param(&by, "of=run", MD_EUSAGE, "parameter 'of' is one of no; not 'run'");
	refuse_param(&bad, "top=1", MD_EDB, "query 'bad': near \"FROM\": syntax error");
	refuse_param(&object, "object=x", MD_EDB, "objects: no such table: objects");
}
END_TEST

static char *print(const char *sql, enum print_format format)
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

static void check_print(const char *sql, enum print_format format, const char *want)
{
	char *got = print(sql, format);

	ck_assert_str_eq(got, want);
	free(got);
}

static const char rows[] =
	"SELECT 'worker' AS function, 5 AS n, 1.5 AS avg UNION ALL SELECT 'né', 1234, NULL "
	"UNION ALL SELECT '字', NULL, 10.25";

START_TEST(a_table_pads_by_what_a_terminal_shows)
{
	check_print(rows, PRINT_TABLE,
		    "function     n    avg\n"
		    "--------  ----  -----\n"
		    "worker       5    1.5\n"
		    "né        1234      -\n"
		    "字           -  10.25\n");
	check_print("SELECT 1 AS a WHERE 0", PRINT_TABLE, "(no rows)\n");
	check_print("SELECT 'x\n\x1b[31m' AS a, 'b\tc' AS b", PRINT_TABLE,
		    "a            b\n-----------  ----\nx\\n\\x1b[31m  b\\tc\n");
}
END_TEST

START_TEST(a_table_leaves_out_columns_without_a_value)
{
	check_print("SELECT 1 AS a, NULL AS b, NULL AS c UNION ALL SELECT 2, NULL, 'x'",
		    PRINT_TABLE, "a  c\n-  -\n1  -\n2  x\n");
	check_print("SELECT 1 AS a, NULL AS b", PRINT_TABLE, "a\n-\n1\n");
	check_print("SELECT NULL AS a, NULL AS b", PRINT_TABLE, "a  b\n-  -\n-  -\n");
	check_print("SELECT 1 AS a, NULL AS b", PRINT_CSV, "a,b\r\n1,\r\n");
	check_print("SELECT 1 AS a, NULL AS b", PRINT_JSON, "[\n  {\"a\": 1, \"b\": null}\n]\n");
}
END_TEST

/* A column whose first value comes late is there: as long as rows are to come, none is left out. */
START_TEST(a_late_value_is_printed)
{
	char *text = print("WITH RECURSIVE c (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE "
			   "i < 1001) SELECT iif(i > 1000, 'late', NULL) AS a, i FROM c",
			   PRINT_TABLE);

	ck_assert_int_eq(strncmp(text, "a     i\n-  ----\n-     1\n", 24), 0);
	ck_assert_ptr_nonnull(strstr(text, "\nlate  1001\n"));
	free(text);
}
END_TEST

/* 200 characters of each: what is cut is the middle, and of tables only. */
static const char long_texts[] =
	"WITH a (t) AS (SELECT 'begin' || replace(hex(zeroblob(95)), '00', 'xy') || 'finis') "
	"SELECT t AS a, 1 AS n, t AS b FROM a";

START_TEST(long_texts_are_cut_in_tables_only)
{
	char *table = print(long_texts, PRINT_TABLE), *csv = print(long_texts, PRINT_CSV);
	char *json = print(long_texts, PRINT_JSON);
	char *row = strstr(table, "\nbegin") + 1;

	ck_assert_int_eq(escape_width(row), 60 + 2 + 1 + 2 + 120 + 2); /* its end as \n */
	ck_assert_int_eq(strncmp(row + 28, "yx…xyxy", 9), 0);
	ck_assert_ptr_nonnull(strstr(row, "xyfinis  1  begin"));
	ck_assert_str_eq(row + strlen(row) - 8, "xyfinis\n");
	ck_assert_int_eq(strlen(csv), strlen("a,n,b\r\n,1,\r\n") + 400);
	ck_assert_ptr_null(strstr(csv, "…"));
	ck_assert_ptr_null(strstr(json, "…"));
	ck_assert_int_gt(strlen(json), 400);
	free(table);
	free(csv);
	free(json);
}
END_TEST

/* The columns that the row of long_texts takes on a terminal of so many. */
static int width_on_terminal(unsigned short columns)
{
	struct winsize size = { .ws_row = 24, .ws_col = columns };
	int master = posix_openpt(O_RDWR | O_NOCTTY), slave;
	struct md_err err = { 0 };
	char text[2048] = "", *row;
	sqlite3_stmt *st;
	sqlite3 *db;
	FILE *out;

	ck_assert_int_ge(master, 0);
	ck_assert(!grantpt(master) && !unlockpt(master) && !ioctl(master, TIOCSWINSZ, &size));
	slave = open(ptsname(master), O_RDWR | O_NOCTTY);
	out = fdopen(slave, "w");
	ck_assert_ptr_nonnull(out);
	ck_assert_int_eq(sqlite3_open(":memory:", &db), SQLITE_OK);
	ck_assert_int_eq(sqlite3_prepare_v2(db, long_texts, -1, &st, NULL), SQLITE_OK);
	ck_assert_msg(!print_rows(st, PRINT_TABLE, out, &err), "%s", err.msg);
	for (ssize_t n = 0, got; !strstr(text, "finis\r\n"); n += got) {
		got = read(master, text + n, sizeof(text) - 1 - (size_t)n);
		ck_assert_int_gt(got, 0);
	}
	row = strstr(text, "\nbegin");
	ck_assert_ptr_nonnull(row);
	*strchr(row, '\r') = 0;
	sqlite3_finalize(st);
	sqlite3_close(db);
	fclose(out);
	close(master);
	return escape_width(row + 1);
}

START_TEST(a_terminal_decides_how_much_is_cut)
{
	ck_assert_int_eq(width_on_terminal(10), 30 + 5 + 60);
	ck_assert_int_eq(width_on_terminal(80), 30 + 5 + 60);
	ck_assert_int_eq(width_on_terminal(132), 42 + 5 + 84);
	ck_assert_int_eq(width_on_terminal(205), 66 + 5 + 132);
	ck_assert_int_eq(width_on_terminal(500), 200 + 5 + 200);
	ck_assert_int_eq(width_on_terminal(0), 60 + 5 + 120); /* it does not say */
}
END_TEST

START_TEST(a_long_table_is_printed_whole)
{
	char *text = print("WITH RECURSIVE c (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE "
			   "i < 2500) SELECT i, 'row ' || i AS name FROM c",
			   PRINT_TABLE);
	int lines = 0;

	for (const char *p = text; *p; p++)
		lines += *p == '\n';
	ck_assert_int_eq(lines, 2502);
	ck_assert_ptr_nonnull(strstr(text, "\n2500  row 2500\n"));
	free(text);
}
END_TEST

START_TEST(csv_is_that_of_rfc_4180)
{
	check_print(rows, PRINT_CSV, "function,n,avg\r\nworker,5,1.5\r\nné,1234,\r\n字,,10.25\r\n");
	check_print(
		"SELECT 'a,b' AS \"x\"\"y\", 'say \"hi\"' AS b, 'l1\nl2' AS c, '' AS d, "
		"NULL AS e, '\x1b' AS f",
		PRINT_CSV,
		"\"x\"\"y\",b,c,d,e,f\r\n\"a,b\",\"say \"\"hi\"\"\",\"l1\nl2\",\"\",,\\x1b\r\n");
}
END_TEST

START_TEST(json_is_an_array_of_objects)
{
	check_print(rows, PRINT_JSON,
		    "[\n  {\"function\": \"worker\", \"n\": 5, \"avg\": 1.5},\n"
		    "  {\"function\": \"né\", \"n\": 1234, \"avg\": null},\n"
		    "  {\"function\": \"字\", \"n\": null, \"avg\": 10.25}\n]\n");
	check_print("SELECT 1 WHERE 0", PRINT_JSON, "[]\n");
	check_print("SELECT 'a\"\\\n\x01' || x'ff' AS s, 9e999 AS inf, '1' AS t", PRINT_JSON,
		    "[\n  {\"s\": \"a\\\"\\\\\\u000a\\u0001\\ufffd\", \"inf\": null, "
		    "\"t\": \"1\"}\n]\n");
}
END_TEST

START_TEST(failures_of_query_and_output_are_told)
{
	struct md_err err = { 0 };
	FILE *full = fopen("/dev/full", "w");
	sqlite3_stmt *st;
	sqlite3 *db;

	ck_assert_ptr_nonnull(full);
	ck_assert_int_eq(sqlite3_open(":memory:", &db), SQLITE_OK);
	ck_assert_int_eq(sqlite3_prepare_v2(db, "SELECT 1", -1, &st, NULL), SQLITE_OK);
	ck_assert_int_eq(print_rows(st, PRINT_CSV, full, &err), MD_EIO);
	ck_assert_str_eq(err.msg, "cannot write the rows: No space left on device");
	sqlite3_finalize(st);
	ck_assert_int_eq(sqlite3_prepare_v2(db,
					    "SELECT abs(column1) FROM (VALUES (1), "
					    "(-9223372036854775807 - 1))",
					    -1, &st, NULL),
			 SQLITE_OK);
	ck_assert_int_eq(print_rows(st, PRINT_JSON, stdout, &err), MD_EDB);
	ck_assert_str_eq(err.msg, "integer overflow");
	sqlite3_finalize(st);
	sqlite3_close(db);
	fclose(full);
}
END_TEST

/* s as escape_text() prints it, which must take as many columns as escape_width() says. */
static void check_escape(const char *s, const char *want, int width)
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

START_TEST(hostile_text_is_escaped)
{
	check_escape("plain", "plain", 5);
	check_escape("\r\x7f", "\\x0d\\x7f", 8);
	check_escape("\xc2\x9b", "\\u009b", 6); /* C1: starts a terminal sequence */
	check_escape("a\xe2\x80\xae"
		     "b",
		     "a\\u202eb", 8);                        /* right-to-left override */
	check_escape("\xc0\xaf", "\\xc0\\xaf", 8);           /* overlong */
	check_escape("\xed\xa0\x80", "\\xed\\xa0\\x80", 12); /* surrogate */
	check_escape("\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80", 16);
	check_escape("\xe5\xad", "\\xe5\\xad", 8); /* cut short */
	check_escape("e\xcc\x81", "e\xcc\x81", 1); /* combining */
	check_escape("\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80", 2);
}
END_TEST

static void check_utf8(const char *s, const char *want)
{
	char text[64] = "";

	ck_assert_uint_eq(escape_utf8_size(s), strlen(want));
	escape_utf8(s, text);
	ck_assert_str_eq(text, want);
}

START_TEST(what_is_no_utf8_is_escaped)
{
	check_utf8("", "");
	check_utf8("plain \\xff", "plain \\xff");
	check_utf8("\n\x1b\xc2\x9b字\xf0\x9f\x98\x80", "\n\x1b\xc2\x9b字\xf0\x9f\x98\x80");
	check_utf8("a\xff"
		   "b",
		   "a\\xffb");
	check_utf8("cut \xe5\xad", "cut \\xe5\\xad");
	check_utf8("\xc0\xaf\xed\xa0\x80", "\\xc0\\xaf\\xed\\xa0\\x80");
}
END_TEST

static void check_shell(const char *s, const char *want)
{
	char *text = NULL;
	size_t n;
	FILE *out = open_memstream(&text, &n);

	escape_shell(s, out);
	fclose(out);
	ck_assert_str_eq(text, want);
	free(text);
}

START_TEST(a_shell_reads_one_word)
{
	check_shell("a b$c\\d", "'a b$c\\d'");
	check_shell("字", "'字'");
	check_shell("it's\\", "$'it\\'s\\\\'");
	check_shell("\x1b[1m\n\xff", "$'\\033[1m\\012\\377'");
	check_shell("\xe2\x80\xae'", "$'\\342\\200\\256\\''");
}
END_TEST

/* s cut to max columns must be `want`, of that width. */
static void check_cut(const char *s, int max, const char *want, int width)
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

START_TEST(a_text_is_cut_in_its_middle)
{
	check_cut("", 2, "", 0);
	check_cut("abcdefgh", 8, "abcdefgh", 8);
	check_cut("abcdefghi", 8, "abcd…ghi", 8);
	check_cut("abcdefghi", 2, "a…", 2);
	check_cut("字字字字字", 10, "字字字字字", 10);
	check_cut("字字字字字", 8, "字字…字", 7); /* half a character has no room */
	check_cut("ab\x1b\x1b\x1b"
		  "cd",
		  10, "ab…cd", 5); /* nor has half an escape */
	check_cut("ae\xcc\x81xxxxe\xcc\x81z", 5, "ae\xcc\x81…e\xcc\x81z", 5); /* marks stay */
	check_cut("abcde\xcc\x81z", 4, "ab…z", 4);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("query");
	TCase *t = tcase_create("query");

	tcase_set_timeout(t, 240);
	tcase_add_test(t, what_is_no_memdb_database_is_refused);
	tcase_add_test(t, damaged_databases_end_in_rows_or_an_error);
	tcase_add_test(t, the_database_cannot_be_changed);
	tcase_add_test(t, names_are_found_and_suggested);
	tcase_add_test(t, headers_are_read);
	tcase_add_test(t, parameters_are_bound_by_name_and_kind);
	tcase_add_test(t, parameters_that_make_no_sense_are_refused);
	tcase_add_test(t, a_table_pads_by_what_a_terminal_shows);
	tcase_add_test(t, a_table_leaves_out_columns_without_a_value);
	tcase_add_test(t, a_late_value_is_printed);
	tcase_add_test(t, long_texts_are_cut_in_tables_only);
	tcase_add_test(t, a_terminal_decides_how_much_is_cut);
	tcase_add_test(t, a_text_is_cut_in_its_middle);
	tcase_add_test(t, a_long_table_is_printed_whole);
	tcase_add_test(t, csv_is_that_of_rfc_4180);
	tcase_add_test(t, json_is_an_array_of_objects);
	tcase_add_test(t, failures_of_query_and_output_are_told);
	tcase_add_test(t, hostile_text_is_escaped);
	tcase_add_test(t, what_is_no_utf8_is_escaped);
	tcase_add_test(t, a_shell_reads_one_word);
	suite_add_tcase(s, t);
	return run_suite(s);
}

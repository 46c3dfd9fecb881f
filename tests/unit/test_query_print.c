/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests how the rows of a query are printed. */
#include "query_fixture.h"

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
	check_print("SELECT 1 AS a, '' AS b, 'x' AS c", PRINT_TABLE, "a  c\n-  -\n1  x\n");
	check_print("SELECT 1 AS a, NULL AS b", PRINT_CSV, "a,b\r\n1,\r\n");
	check_print("SELECT 1 AS a, NULL AS b", PRINT_JSON, "[\n  {\"a\": 1, \"b\": null}\n]\n");
}
END_TEST

/* A column is printed even if only a late row has a value in it. So no column may be left out
 * before all rows are read. */
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

/* Two names of 80 characters that differ in one of them, at `at`, which is a part that the middle
 * cut leaves out. */
START_TEST(different_names_stay_different_when_they_are_cut)
{
	const int at[] = { 31, 35, 40, 45, 49 };
	char sql[400], *table, *second;

	snprintf(sql, sizeof(sql),
		 "SELECT printf('%%.*c%%s%%.*c', %d, 'x', n, %d, 'y') AS a, 1 AS b FROM "
		 "(SELECT 'P' AS n UNION ALL SELECT 'Q')",
		 at[_i], 79 - at[_i]);
	table = print(sql, PRINT_TABLE);
	second = strstr(table, "\nx") ? strchr(strstr(table, "\nx") + 1, '\n') + 1 : NULL;
	ck_assert_ptr_nonnull(strstr(table, "…"));
	ck_assert_ptr_nonnull(strchr(table, 'P'));
	ck_assert_msg(second && strchr(second, 'Q'), "%s", table);
	ck_assert_int_eq(escape_width(second), 60 + 2 + 1 + 2);
	free(table);
}
END_TEST

START_TEST(long_texts_are_cut_in_tables_only)
{
	char *table = print(long_texts, PRINT_TABLE), *csv = print(long_texts, PRINT_CSV);
	char *json = print(long_texts, PRINT_JSON);
	char *row = strstr(table, "\nbegin") + 1;

	/* widths of the columns and separators, and 2 for the newline, which is escaped here */
	ck_assert_int_eq(escape_width(row), 60 + 2 + 1 + 2 + 120 + 2);
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

/* Prints long_texts to a terminal with this many columns. Returns the width of its row. */
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
	/* A terminal that does not report its width counts as wide as a file. */
	ck_assert_int_eq(width_on_terminal(0), 60 + 5 + 120);
}
END_TEST

/* Checks the table of a statement in `columns` columns. */
static void check_narrow(const char *sql, int columns, const char *want)
{
	struct md_err err = { 0 };
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	sqlite3_stmt *st;
	sqlite3 *db;

	ck_assert_int_eq(sqlite3_open(":memory:", &db), SQLITE_OK);
	ck_assert_int_eq(sqlite3_prepare_v2(db, sql, -1, &st, NULL), SQLITE_OK);
	ck_assert_msg(!print_table_within(st, columns, NULL, out, &err), "%s", err.msg);
	sqlite3_finalize(st);
	sqlite3_close(db);
	fclose(out);
	ck_assert_str_eq(text, want);
	free(text);
}

START_TEST(a_narrow_table_cuts_no_number_and_no_place)
{
	unsetenv("COLUMNS");
	check_narrow("SELECT 'a name that is cut' AS name, '-1347.4 to -366.6' AS \"95 %\"", 24,
		     "name         95 %\n-----------  -----------------\n"
		     "a nam…s cut  -1347.4 to -366.6\n");
	check_narrow("SELECT 'solver' AS name, 'make falseshare_fix.c:18' AS place, 1 AS n", 20,
		     "name    place                 n\n------  --------------------  -\n"
		     "solver  …falseshare_fix.c:18  1\n");
}
END_TEST

START_TEST(names_of_objects_are_cut_less_than_other_texts)
{
	unsetenv("COLUMNS");
	check_narrow(
		"SELECT 'an object with a long name' AS object, "
		"'[a_library_with_a_very_long_name.so]' AS place, 'caller of the block' AS by_whom",
		44,
		"object            place        by_whom\n----------------  -----------  "
		"-----------\n"
		"an objec…ng name  [a_li…e.so]  calle…block\n");
}
END_TEST

/* A text that is cut does not continue in the next column, where it would look like a value. */
START_TEST(only_labels_continue_in_the_next_column)
{
	unsetenv("COLUMNS");
	check_narrow("SELECT 'a name that is cut' AS name, NULL AS site, 'x' AS n UNION ALL "
		     "SELECT '[mappings outside blocks]', NULL, NULL UNION ALL "
		     "SELECT 'b', 'a site that is cut', 'y'",
		     20,
		     "name         site         n\n-----------  -----------  -\n"
		     "a nam…s cut  -            x\n[mappings outside blocks]\n"
		     "b            a sit…s cut  y\n");
}
END_TEST

START_TEST(a_table_has_the_short_names_of_functions)
{
	static const char sql[] = "SELECT 'int* sort<int>(int*, int*)' AS function, 'f(x)' AS text";

	check_print(sql, PRINT_TABLE, "function   text\n---------  ----\nsort<int>  f(x)\n");
	check_print(sql, PRINT_CSV, "function,text\r\n\"int* sort<int>(int*, int*)\",f(x)\r\n");
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

START_TEST(hostile_text_is_escaped)
{
	check_escape("plain", "plain", 5);
	check_escape("\r\x7f", "\\x0d\\x7f", 8);
	/* a C1 control character, which begins a terminal sequence */
	check_escape("\xc2\x9b", "\\u009b", 6);
	check_escape("a\xe2\x80\xae"
		     "b",
		     /* right-to-left override, which could hide text */
		     "a\\u202eb", 8);
	/* a longer UTF-8 encoding than necessary */
	check_escape("\xc0\xaf", "\\xc0\\xaf", 8);
	check_escape("\xed\xa0\x80", "\\xed\\xa0\\x80", 12); /* a UTF-16 surrogate */
	check_escape("\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80", 16);
	check_escape("\xe5\xad", "\\xe5\\xad", 8); /* the last byte is missing */
	check_escape("e\xcc\x81", "e\xcc\x81", 1); /* a combining accent has no width */
	check_escape("\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80", 2);
}
END_TEST

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

START_TEST(a_shell_reads_one_word)
{
	check_shell("a b$c\\d", "'a b$c\\d'");
	check_shell("字", "'字'");
	check_shell("it's\\", "$'it\\'s\\\\'");
	check_shell("\x1b[1m\n\xff", "$'\\033[1m\\012\\377'");
	check_shell("\xe2\x80\xae'", "$'\\342\\200\\256\\''");
}
END_TEST

START_TEST(a_text_is_cut_in_its_middle)
{
	check_cut("", 2, "", 0);
	check_cut("abcdefgh", 8, "abcdefgh", 8);
	/* a text that fits is not cut for the sake of the place at its end */
	check_cut("ab x.c:12", 9, "ab x.c:12", 9);
	check_cut("abcdefghi", 8, "abcd…ghi", 8);
	check_cut("abcdefghi", 2, "a…", 2);
	/* the function's name is cut first, and the source line last */
	check_cut("some_function main.c:2000", 18, "some_… main.c:2000", 18);
	check_cut("some_function main.c:2000", 14, "…main.c:2000", 12);
	check_cut("some_function main.c:2000", 10, "…in.c:2000", 10);
	check_cut("some_function [clone:2x]", 9, "some…:2x]", 9);
	check_cut("字字字字字", 10, "字字字字字", 10);
	check_cut("字字字字字", 8, "字字…字",
		  7); /* a wide character does not fit into the last column */
	check_cut("ab\x1b\x1b\x1b"
		  "cd",
		  10, "ab…cd", 5); /* an escape sequence is printed completely or not at all */
	/* A combining accent stays with its letter. */
	check_cut("ae\xcc\x81xxxxe\xcc\x81z", 5, "ae\xcc\x81…e\xcc\x81z", 5);
	check_cut("abcde\xcc\x81z", 4, "ab…z", 4);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("query_print");
	TCase *t = tcase_create("query");

	tcase_set_timeout(t, 240);
	tcase_add_test(t, a_table_pads_by_what_a_terminal_shows);
	tcase_add_test(t, a_table_leaves_out_columns_without_a_value);
	tcase_add_test(t, a_late_value_is_printed);
	tcase_add_loop_test(t, different_names_stay_different_when_they_are_cut, 0, 5);
	tcase_add_test(t, long_texts_are_cut_in_tables_only);
	tcase_add_test(t, a_terminal_decides_how_much_is_cut);
	tcase_add_test(t, a_text_is_cut_in_its_middle);
	tcase_add_test(t, a_narrow_table_cuts_no_number_and_no_place);
	tcase_add_test(t, names_of_objects_are_cut_less_than_other_texts);
	tcase_add_test(t, only_labels_continue_in_the_next_column);
	tcase_add_test(t, a_table_has_the_short_names_of_functions);
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

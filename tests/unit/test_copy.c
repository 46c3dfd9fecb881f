/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests how rows are copied between databases. */
#include "database/copy.h"

#include <stdio.h>
#include <string.h>

#include "check_main.h"

static sqlite3 *from, *to;

static void setup(void)
{
	ck_assert_int_eq(sqlite3_open(":memory:", &from), 0);
	ck_assert_int_eq(sqlite3_open(":memory:", &to), 0);
}

static void teardown(void)
{
	ck_assert_int_eq(sqlite3_close(from), 0);
	ck_assert_int_eq(sqlite3_close(to), 0);
}

static int copy(const char *sql, struct copy *c, struct md_err *err)
{
	sqlite3_stmt *st;
	int ret;

	ck_assert_int_eq(sqlite3_prepare_v2(from, sql, -1, &st, NULL), 0);
	ret = copy_rows(st, to, c, err);
	sqlite3_finalize(st);
	return ret;
}

static const char *answer(const char *sql)
{
	static char text[200];
	sqlite3_stmt *st;

	ck_assert_msg(!sqlite3_prepare_v2(to, sql, -1, &st, NULL), "%s", sqlite3_errmsg(to));
	ck_assert_int_eq(sqlite3_step(st), SQLITE_ROW);
	snprintf(text, sizeof(text), "%s", sqlite3_column_text(st, 0));
	sqlite3_finalize(st);
	return text;
}

#define NUMBERS "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10) "

START_TEST(values_keep_their_types_and_names)
{
	struct copy c = { .table = "a \"b\"", .first = 10, .every = 1 };

	ck_assert_int_eq(
		copy("SELECT 1 AS \"x \"\"y\", 2.5 AS r, 'a' || char(10) AS t, x'00ff' AS b, "
		     "NULL AS n",
		     &c, NULL),
		0);
	ck_assert_str_eq(
		answer("SELECT typeof(\"x \"\"y\") || typeof(r) || typeof(t) || typeof(b) || "
		       "typeof(n) || length(t) || hex(b) FROM \"a \"\"b\"\"\""),
		"integerrealtextblobnull200FF");
}
END_TEST

START_TEST(the_first_rows_stay_and_all_are_counted)
{
	struct copy c = { .table = "t", .first = 3, .every = 1 };

	ck_assert_int_eq(copy(NUMBERS "SELECT i FROM n", &c, NULL), 0);
	ck_assert_int_eq(c.rows, 10);
	ck_assert_int_eq(c.kept, 3);
	ck_assert_str_eq(answer("SELECT group_concat(i) FROM t"), "1,2,3");
}
END_TEST

START_TEST(one_of_so_many_stays)
{
	struct copy c = { .table = "t", .first = 100, .every = 4 };

	ck_assert_int_eq(copy(NUMBERS "SELECT i FROM n", &c, NULL), 0);
	ck_assert_int_eq(c.kept, 2);
	ck_assert_str_eq(answer("SELECT group_concat(i) FROM t"), "4,8");
}
END_TEST

START_TEST(a_table_is_added_to)
{
	struct copy c = { .table = "t", .first = 100, .every = 1 };

	ck_assert_int_eq(copy("SELECT 1 AS i", &c, NULL), 0);
	ck_assert_int_eq(copy("SELECT 2 AS i", &c, NULL), 0);
	ck_assert_str_eq(answer("SELECT group_concat(i) FROM t"), "1,2");
}
END_TEST

START_TEST(what_either_database_refuses_is_an_error)
{
	struct copy c = { .table = "t", .first = 100, .every = 1 };
	struct md_err err = { 0 };

	ck_assert_int_eq(copy("SELECT abs(-9223372036854775807 - 1) AS i", &c, &err), MD_EDB);
	ck_assert_ptr_nonnull(strstr(err.msg, "'t'"));
	/* fails, because the table t has only one column */
	ck_assert_int_eq(copy("SELECT 1 AS i, 2 AS j", &c, &err), MD_EDB);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("copy");
	TCase *t = tcase_create("copy");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, values_keep_their_types_and_names);
	tcase_add_test(t, the_first_rows_stay_and_all_are_counted);
	tcase_add_test(t, one_of_so_many_stays);
	tcase_add_test(t, a_table_is_added_to);
	tcase_add_test(t, what_either_database_refuses_is_an_error);
	suite_add_tcase(s, t);
	return run_suite(s);
}

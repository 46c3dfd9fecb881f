/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/code.h"

#include "check_main.h"

#include <stdio.h>

static struct code code;

static void setup(void)
{
	struct sym_options so = { 0 };

	ck_assert_int_eq(code_init(&code, &so, NULL), 0);
}

static void teardown(void)
{
	code_release(&code);
}

/* The path of calls, outermost first, each a letter. */
static uint32_t path_of(const char *calls)
{
	uint32_t path = CALL_PATH_ROOT;

	for (; *calls; calls++)
		path = code_call_path(&code, path, code_location(&code, 0, (uint64_t)*calls),
				      CALL_USER);
	return path;
}

static const char *calls_of(uint32_t path)
{
	static char text[600];
	size_t n = sizeof(text) - 1;

	for (; path; path = code.call_paths.at[path - 1].parent) {
		uint32_t location = code.call_paths.at[path - 1].location;

		if (location)
			text[--n] = (char)code.locations.at[location - 1].offset;
	}
	return text + n;
}

static const char *fold(const char *calls)
{
	return calls_of(code_fold(&code, path_of(calls)));
}

START_TEST(recursion_is_folded)
{
	ck_assert_str_eq(fold("mbc"), "mbc");
	ck_assert_str_eq(fold("mbbbc"), "mbc");
	ck_assert_str_eq(fold("mababc"), "mabc");
	ck_assert_str_eq(fold("mabac"), "mac"); /* another caller of c */
	ck_assert_str_eq(fold("mabcbd"), "mabd");
	ck_assert_str_eq(fold("abcdabcdabce"), "abce");
	ck_assert_str_eq(fold(""), "");
	ck_assert_uint_eq(code_fold(&code, path_of("mbc")), path_of("mbc"));
	ck_assert_uint_eq(code_fold(&code, path_of("mbbc")), path_of("mbc"));
	ck_assert_uint_eq(code_fold(&code, 0), 0);
}
END_TEST

START_TEST(a_truncated_path_stays_one)
{
	uint32_t b = code_location(&code, 0, 'b'), path = CALL_PATH_TRUNCATED;

	for (int i = 0; i < 3; i++)
		path = code_call_path(&code, path, b, CALL_USER);
	path = code_fold(&code, path);
	ck_assert_uint_eq(code.call_paths.at[path - 1].parent, CALL_PATH_TRUNCATED);
}
END_TEST

START_TEST(deep_recursion_adds_no_paths)
{
	char calls[513] = "m";
	uint32_t n;

	for (size_t i = 1; i < sizeof(calls) - 1; i++)
		calls[i] = "ab"[i % 2];
	path_of(calls);
	n = code.call_paths.n;
	ck_assert_str_eq(fold(calls), "mb");
	ck_assert_uint_le(code.call_paths.n, n + 4);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("code");
	TCase *t = tcase_create("code");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, recursion_is_folded);
	tcase_add_test(t, a_truncated_path_stays_one);
	tcase_add_test(t, deep_recursion_adds_no_paths);
	suite_add_tcase(s, t);
	return run_suite(s);
}

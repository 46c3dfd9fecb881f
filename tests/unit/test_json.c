/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that the JSON writer escapes strings and replaces invalid UTF-8. */
#include "base/json.h"

#include <stdio.h>

#include "base/count.h"
#include "check_main.h"

static struct json j;

static const char *string(const char *s, size_t n)
{
	char *exact = copy_exact(s, n);
	const char *text;

	json_reset(&j);
	json_string(&j, exact, n);
	text = json_end(&j);
	free(exact);
	return text;
}

START_TEST(strings_are_escaped)
{
	ck_assert_str_eq(string("", 0), "\"\"");
	ck_assert_str_eq(string("plain", 5), "\"plain\"");
	ck_assert_str_eq(string("a\"b\\c/", 6), "\"a\\\"b\\\\c/\"");
	ck_assert_str_eq(string("\n\x1f\x7f\0", 4), "\"\\u000a\\u001f\\u007f\\u0000\"");
	ck_assert_str_eq(string("\xc3\xa9\xe2\x82\xac\xf0\x9f\x99\x82", 9),
			 "\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x99\x82\"");
}
END_TEST

#define BAD "\xef\xbf\xbd"

START_TEST(bytes_that_are_no_utf8_are_replaced)
{
	static const struct {
		const char *in, *out;
	} cases[] = {
		/* a continuation byte without a first byte */
		{ "\x80", BAD },
		{ "\xc3", BAD },         /* the last byte is missing */
		{ "\xe2\x82", BAD BAD }, /* the last byte is missing */
		/* the last byte is missing, and text follows */
		{ "\xe2\x82z", BAD BAD "z" },
		{ "\xc0\xaf", BAD BAD },                 /* a longer encoding than necessary */
		{ "\xe0\x9f\xbf", BAD BAD BAD },         /* a longer encoding than necessary */
		{ "\xf0\x8f\xbf\xbf", BAD BAD BAD BAD }, /* a longer encoding than necessary */
		{ "\xed\xa0\x80", BAD BAD BAD },         /* a UTF-16 surrogate */
		{ "\xf4\x90\x80\x80", BAD BAD BAD BAD }, /* above U+10FFFF */
		{ "\xff", BAD },
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		char want[64];

		snprintf(want, sizeof(want), "\"%s\"", cases[i].out);
		ck_assert_str_eq(string(cases[i].in, strlen(cases[i].in)), want);
	}
}
END_TEST

START_TEST(numbers_and_bytes)
{
	static const int64_t numbers[] = { 0, 7, -1, INT64_MAX, INT64_MIN };

	json_reset(&j);
	for (size_t i = 0; i < COUNT_OF(numbers); i++) {
		json_int(&j, numbers[i]);
		json_raw(&j, " ", 1);
	}
	json_hex(&j, (const uint8_t *)"\x00\x9f\xff", 3);
	json_hex(&j, NULL, 0);
	ck_assert_str_eq(json_end(&j),
			 "0 7 -1 9223372036854775807 -9223372036854775808 \"009fff\"\"\"");
}
END_TEST

START_TEST(the_buffer_grows_and_is_used_again)
{
	char *text;

	json_reset(&j);
	for (int i = 0; i < 100000; i++)
		json_raw(&j, "ab", 2);
	text = copy_exact(json_end(&j), 200001);
	ck_assert_uint_eq(strlen(text), 200000);
	free(text);
	json_reset(&j);
	ck_assert_str_eq(json_end(&j), "");
}
END_TEST

int main(void)
{
	Suite *s = suite_create("json");
	TCase *t = tcase_create("json");
	int ret;

	tcase_add_test(t, strings_are_escaped);
	tcase_add_test(t, bytes_that_are_no_utf8_are_replaced);
	tcase_add_test(t, numbers_and_bytes);
	tcase_add_test(t, the_buffer_grows_and_is_used_again);
	suite_add_tcase(s, t);
	ret = run_suite(s);
	json_release(&j);
	return ret;
}

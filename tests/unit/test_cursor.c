/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that the cursor reads both byte orders and never reads past the end. */
#include "base/cursor.h"

#include "check_main.h"

static const uint8_t bytes[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9 };

START_TEST(reads_both_byte_orders)
{
	struct cursor c = cursor_make(bytes, sizeof(bytes), false);

	ck_assert_uint_eq(cursor_u8(&c), 1);
	ck_assert_uint_eq(cursor_u16(&c), 0x0302);
	ck_assert_uint_eq(cursor_u32(&c), 0x07060504);
	c = cursor_make(bytes, sizeof(bytes), true);
	ck_assert_uint_eq(cursor_u64(&c), 0x0102030405060708u);
	ck_assert(!c.failed);
}
END_TEST

START_TEST(past_the_end_fails_and_yields_zero)
{
	uint8_t *img = copy_exact(bytes, 7);
	struct cursor c = cursor_make(img, 7, false);

	ck_assert_uint_eq(cursor_u64(&c), 0);
	ck_assert(c.failed);
	ck_assert_uint_eq(cursor_left(&c), 0);
	ck_assert_uint_eq(cursor_u8(&c), 0);
	free(img);
}
END_TEST

START_TEST(a_range_outside_is_failed_and_empty)
{
	struct cursor c = cursor_make(bytes, sizeof(bytes), false);
	struct cursor in = cursor_range(&c, bytes, 8, 1);
	struct cursor out = cursor_range(&c, bytes, 8, 2);
	struct cursor wrap = cursor_range(&c, bytes, 8, UINT64_MAX);

	ck_assert(!in.failed);
	ck_assert_uint_eq(cursor_u8(&in), 9);
	ck_assert(out.failed);
	ck_assert(wrap.failed);
	ck_assert_uint_eq(cursor_left(&wrap), 0);
}
END_TEST

START_TEST(a_string_without_nul_fails)
{
	char *img = copy_exact("abc\0de", 6);
	struct cursor c = cursor_make(img, 6, false);

	ck_assert_str_eq(cursor_string(&c, 4), "abc");
	ck_assert_str_eq(cursor_string(&c, 2), "");
	ck_assert(c.failed);
	free(img);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("cursor");
	TCase *t = tcase_create("cursor");

	tcase_add_test(t, reads_both_byte_orders);
	tcase_add_test(t, past_the_end_fails_and_yields_zero);
	tcase_add_test(t, a_range_outside_is_failed_and_empty);
	tcase_add_test(t, a_string_without_nul_fails);
	suite_add_tcase(s, t);
	return run_suite(s);
}

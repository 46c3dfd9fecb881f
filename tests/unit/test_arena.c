/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the memory of the arena and its table of strings. */
#include "base/arena.h"

#include "check_main.h"

#include <stdio.h>

START_TEST(equal_strings_share_an_id_after_growth)
{
	struct strings t = { 0 };
	char s[16];

	for (unsigned i = 1; i <= 5000; i++) {
		snprintf(s, sizeof(s), "s%u", i);
		ck_assert_uint_eq(strings_id(&t, s), i);
	}
	ck_assert_uint_eq(strings_id(&t, "s1"), 1);
	ck_assert_uint_eq(strings_id_n(&t, "s4999xyz", 5), 4999);
	ck_assert_uint_eq(strings_id(&t, ""), 5001);
	ck_assert_str_eq(strings_text(&t, 5000), "s5000");
	ck_assert_ptr_null(strings_text(&t, 0));
	strings_release(&t);
}
END_TEST

START_TEST(blocks_are_zeroed_and_aligned)
{
	struct arena a = { 0 };

	arena_clear(&a);
	for (int round = 0; round < 3; round++) {
		for (size_t n = 1; n < 200000; n = n * 3 + 1) {
			unsigned char *p = arena_alloc(&a, n);

			ck_assert_ptr_nonnull(p);
			ck_assert_uint_eq((uintptr_t)p % _Alignof(max_align_t), 0);
			for (size_t i = 0; i < n; i++)
				ck_assert_uint_eq(p[i], 0);
			memset(p, 0xff, n);
		}
		arena_clear(&a);
		ck_assert_uint_eq(a.used, 0);
	}
	ck_assert_ptr_null(arena_alloc(&a, SIZE_MAX));
	arena_release(&a);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("arena");
	TCase *t = tcase_create("arena");

	tcase_add_test(t, equal_strings_share_an_id_after_growth);
	tcase_add_test(t, blocks_are_zeroed_and_aligned);
	suite_add_tcase(s, t);
	return run_suite(s);
}

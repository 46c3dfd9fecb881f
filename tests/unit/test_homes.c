/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/homes.h"

#include "check_main.h"

START_TEST(the_last_look_counts)
{
	struct homes h;
	int32_t four[] = { 0, 1, -1, 2 }, two[] = { 3, 3 };

	homes_init(&h, 4096);
	homes_look(&h, 2, 0x10000, 4096, four, 4, 100);
	ck_assert_int_eq(homes_by_look(&h, 2, 0x10fff, 0), 0);
	ck_assert_int_eq(homes_by_look(&h, 2, 0x11000, 0), 1);
	ck_assert_int_eq(homes_by_look(&h, 2, 0x12000, 0), -1);
	ck_assert_int_eq(homes_by_look(&h, 2, 0x14000, 0), -1);
	ck_assert_int_eq(homes_by_look(&h, 2, 0xffff, 0), -1);
	ck_assert_int_eq(homes_by_look(&h, 1, 0x11000, 0), -1);
	ck_assert_int_eq(homes_by_look(&h, 7, 0x11000, 0), -1);
	homes_look(&h, 2, 0x11000, 4096, two, 2, 200);
	ck_assert_int_eq(homes_by_look(&h, 2, 0x10000, 0), 0);
	ck_assert_int_eq(homes_by_look(&h, 2, 0x11000, 0), 3);
	ck_assert_int_eq(homes_by_look(&h, 2, 0x12000, 0), 3);
	ck_assert_int_eq(homes_by_look(&h, 2, 0x11000, 201), -1); /* of what was there before */
	homes_release(&h);
}
END_TEST

START_TEST(looks_at_the_same_range_take_no_more_room)
{
	struct homes h;
	int32_t node[8] = { 0 };

	homes_init(&h, 4096);
	for (uint64_t t = 1; t < 1000; t++)
		homes_look(&h, 1, 0x10000, 65536, node, 8, t);
	ck_assert_uint_eq(h.nodes.n, 8);
	ck_assert_uint_eq(h.spans.n, 1);
	homes_release(&h);
}
END_TEST

START_TEST(a_page_is_first_touched_once_in_each_life)
{
	struct homes h;

	homes_init(&h, 4096);
	ck_assert(homes_touch(&h, 1, 0x5000, 10, 1, 20));
	ck_assert(!homes_touch(&h, 1, 0x5008, 10, 0, 30)); /* copy on write, for instance */
	ck_assert_int_eq(homes_by_touch(&h, 1, 0x5fff, 10), 1);
	ck_assert_int_eq(homes_by_touch(&h, 1, 0x5fff, 25), -1);
	ck_assert(homes_touch(&h, 1, 0x5000, 40, 0, 50)); /* unmapped and mapped again */
	ck_assert_int_eq(homes_by_touch(&h, 1, 0x5000, 40), 0);
	ck_assert(homes_touch(&h, 2, 0x5000, 0, 1, 60));
	homes_release(&h);
}
END_TEST

START_TEST(a_range_beyond_the_address_space_is_ignored)
{
	struct homes h;
	int32_t node[2] = { 0 };

	homes_init(&h, 4096);
	homes_look(&h, 1, UINT64_MAX - 4096, 4096, node, 2, 1);
	homes_look(&h, 1, 0x1000, 0, node, 2, 1);
	ck_assert_uint_eq(h.spans.n, 0);
	homes_release(&h);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("homes");
	TCase *t = tcase_create("homes");

	tcase_add_test(t, the_last_look_counts);
	tcase_add_test(t, looks_at_the_same_range_take_no_more_room);
	tcase_add_test(t, a_page_is_first_touched_once_in_each_life);
	tcase_add_test(t, a_range_beyond_the_address_space_is_ignored);
	suite_add_tcase(s, t);
	return run_suite(s);
}

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

START_TEST(a_look_at_a_part_leaves_what_is_known_around_it)
{
	struct homes h;
	int32_t many[10] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 }, two[] = { 50, 50 };

	homes_init(&h, 4096);
	homes_look(&h, 1, 0x10000, 8192, many, 10, 100);
	homes_look(&h, 1, 0x15000, 4096, two, 2, 200); /* its end is inside page 3 of the other */
	ck_assert_int_eq(homes_by_look(&h, 1, 0x14fff, 0), 2);
	ck_assert_int_eq(homes_by_look(&h, 1, 0x15000, 0), 50);
	ck_assert_int_eq(homes_by_look(&h, 1, 0x16fff, 0), 50);
	ck_assert_int_eq(homes_by_look(&h, 1, 0x18000, 0), 4);
	ck_assert_int_eq(homes_by_look(&h, 1, 0x23fff, 0), 9);
	ck_assert_int_eq(homes_by_look(&h, 1, 0x24000, 0), -1);
	homes_look(&h, 1, 0xf000, 0xb000, two, 1, 300); /* over the begin of the tail */
	ck_assert_int_eq(homes_by_look(&h, 1, 0x19fff, 0), 50);
	ck_assert_int_eq(homes_by_look(&h, 1, 0x1a000, 0), 5);
	ck_assert_int_eq(homes_by_look(&h, 1, 0x1a000, 101), -1);
	homes_release(&h);
}
END_TEST

START_TEST(looks_at_a_growing_range_take_room_for_its_last)
{
	static int32_t node[3000];
	struct homes h;

	homes_init(&h, 4096);
	for (uint32_t i = 0; i < 3000; i++)
		node[i] = (int32_t)(i % 7);
	for (uint32_t n = 1; n <= 3000; n++)
		homes_look(&h, 1, 0x10000, 4096, node, n, n);
	ck_assert_uint_lt(h.nodes.n, 1 << 18);
	ck_assert_uint_lt(h.spans.n, 1000);
	for (uint32_t i = 0; i < 3000; i++)
		ck_assert_int_eq(homes_by_look(&h, 1, 0x10000 + i * 4096, 0), node[i]);
	ck_assert(!h.nomem);
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

/* A look at every fourth page of an interleaved array sees one node only. */
START_TEST(a_first_touch_comes_before_a_look_at_a_neighbour)
{
	struct homes h;
	int32_t seen[2] = { 0, 0 }, moved[2] = { 3, 3 };
	bool looked;

	homes_init(&h, 4096);
	for (int i = 0; i < 6; i++)
		homes_touch(&h, 1, 0x10000 + 4096 * (uint64_t)i, 0, i % 4, 10);
	homes_look(&h, 1, 0x10000, 4 * 4096, seen, 2, 20);
	ck_assert_int_eq(homes_find(&h, 1, 0x10000, 0, &looked), 0);
	ck_assert(looked);
	ck_assert_int_eq(homes_find(&h, 1, 0x11008, 0, &looked), 1);
	ck_assert(!looked);
	ck_assert_int_eq(homes_find(&h, 1, 0x17000, 0, &looked), 0); /* nothing better is known */
	ck_assert(looked);
	homes_look(&h, 1, 0x10000, 4 * 4096, moved, 2, 30); /* the kernel has moved them */
	ck_assert_int_eq(homes_find(&h, 1, 0x11008, 0, &looked), 3);
	ck_assert(looked);
	homes_touch(&h, 1, 0x12000, 25, 2, 40); /* a page that came after the look */
	ck_assert_int_eq(homes_find(&h, 1, 0x12000, 25, &looked), 2);
	ck_assert_int_eq(homes_find(&h, 0, 0x12000, 0, &looked), -1);
	homes_release(&h);
}
END_TEST

START_TEST(a_neighbour_that_is_not_there_stands_for_nothing)
{
	struct homes h;
	int32_t seen[3] = { -1, 2, -1 };
	bool looked;

	homes_init(&h, 4096);
	homes_look(&h, 1, 0x10000, 4 * 4096, seen, 3, 20);
	ck_assert_int_eq(homes_find(&h, 1, 0x10000, 0, &looked), -1); /* it was asked itself */
	ck_assert_int_eq(homes_find(&h, 1, 0x11000, 0, &looked), 2);  /* the one behind it */
	ck_assert(looked);
	ck_assert_int_eq(homes_find(&h, 1, 0x17fff, 0, &looked), 2);
	ck_assert_int_eq(homes_find(&h, 1, 0x19000, 0, &looked), -1);
	ck_assert_int_eq(homes_find(&h, 1, 0x1bfff, 0, &looked), -1);
	ck_assert(!looked);
	homes_release(&h);
}
END_TEST

START_TEST(a_call_that_moves_pages_ends_what_is_known)
{
	struct homes h;
	int32_t node[4] = { 1, 1, 1, 1 };
	bool looked;

	homes_init(&h, 4096);
	for (uint64_t page = 0x10000; page < 0x15000; page += 4096)
		homes_touch(&h, 1, page, 0, 0, 10);
	homes_look(&h, 1, 0x10000, 4096, node, 4, 20);
	homes_move(&h, 1, 0x11000, 0x12000, 30);
	ck_assert_int_eq(homes_find(&h, 1, 0x10000, 0, &looked), 1);
	ck_assert_int_eq(homes_find(&h, 1, 0x11000, 0, &looked), -1);
	ck_assert(!looked);
	ck_assert_int_eq(homes_find(&h, 1, 0x12000, 0, &looked), 1);
	ck_assert_int_eq(homes_find(&h, 1, 0x14000, 0, &looked), 0);
	homes_move(&h, 1, 0, UINT64_MAX, 40);
	ck_assert_int_eq(homes_find(&h, 1, 0x14000, 0, &looked), -1);
	homes_look(&h, 1, 0x10000, 4096, node, 4, 50);
	ck_assert_int_eq(homes_find(&h, 1, 0x11000, 0, &looked), 1);
	homes_move(&h, 0, 0, UINT64_MAX, 60); /* of no process */
	homes_release(&h);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("homes");
	TCase *t = tcase_create("homes");

	tcase_add_test(t, the_last_look_counts);
	tcase_add_test(t, looks_at_the_same_range_take_no_more_room);
	tcase_add_test(t, a_look_at_a_part_leaves_what_is_known_around_it);
	tcase_add_test(t, looks_at_a_growing_range_take_room_for_its_last);
	tcase_add_test(t, a_page_is_first_touched_once_in_each_life);
	tcase_add_test(t, a_range_beyond_the_address_space_is_ignored);
	tcase_add_test(t, a_first_touch_comes_before_a_look_at_a_neighbour);
	tcase_add_test(t, a_neighbour_that_is_not_there_stands_for_nothing);
	tcase_add_test(t, a_call_that_moves_pages_ends_what_is_known);
	suite_add_tcase(s, t);
	return run_suite(s);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests how the model finds the node of a page (its home) from page faults and from the program's
 * calls. test_homes_look.c has the tests of looks (answers of move_pages()). */
#include "homes_fixture.h"

/* Two processes fault, one after the other, on private pages at the same addresses. Only the first
 * fault of each process on a page is a first touch. */
START_TEST(each_page_has_its_own_first_touch)
{
	enum { PAGES = 3000 };
	struct homes h;

	homes_init(&h, 4096);
	for (uint64_t i = 0; i < 2 * PAGES; i++) {
		/* a permutation: each page occurs once in each round */
		uint64_t page = i % PAGES * 7919 % PAGES;

		ck_assert(touch(&h, 1, page << 12, 0, (int32_t)(page % 3), 10 + i) == (i < PAGES));
		ck_assert(touch(&h, 2, page << 12, 0, (int32_t)(page % 5), 10 + i) == (i < PAGES));
	}
	for (uint64_t i = 0; i < PAGES; i++) {
		ck_assert_int_eq(node_of(&h, 1, i << 12, 0), (int32_t)(i % 3));
		ck_assert_int_eq(node_of(&h, 2, i << 12, 0), (int32_t)(i % 5));
		ck_assert_int_eq(node_of(&h, 3, i << 12, 0), -1);
	}
	homes_release(&h);
}
END_TEST

START_TEST(a_page_is_first_touched_once_in_each_life)
{
	struct homes h;

	homes_init(&h, 4096);
	ck_assert(touch(&h, 1, 0x5000, 10, 1, 20));
	ck_assert(!touch(&h, 1, 0x5008, 10, 1, 30));
	ck_assert_int_eq(node_of(&h, 1, 0x5fff, 10), 1);
	/* A second fault at the page, from another node and for no known reason: the page may have
	 * moved, so its home is uncertain. */
	ck_assert(!touch(&h, 1, 0x5008, 10, 0, 30));
	ck_assert_int_eq(node_of(&h, 1, 0x5fff, 10), -1);
	ck_assert_int_eq(node_of(&h, 1, 0x5fff, 31), -1);
	/* from here on, the page belongs to a mapping that was made at time 40 */
	ck_assert(touch(&h, 1, 0x5000, 40, 0, 50));
	ck_assert_int_eq(node_of(&h, 1, 0x5000, 40), 0);
	ck_assert(touch(&h, 2, 0x5000, 0, 1, 60));
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
	ck_assert_uint_eq(h.looks.spans.n, 0);
	homes_release(&h);
}
END_TEST

START_TEST(a_call_that_moves_pages_ends_what_is_known)
{
	struct homes h;
	int32_t node[4] = { 1, 1, 1, 1 };

	homes_init(&h, 4096);
	for (uint64_t page = 0x10000; page < 0x15000; page += 4096)
		touch(&h, 1, page, 0, 0, 10);
	homes_look(&h, 1, 0x10000, 4096, node, 4, 20);
	homes_move(&h, 1, 0x11000, 0x12000, 30);
	ck_assert_int_eq(node_of(&h, 1, 0x10000, 0), 1);
	ck_assert_int_eq(node_of(&h, 1, 0x11000, 0), -1);
	ck_assert(!is_looked(&h, 1, 0x11000, 0));
	ck_assert_int_eq(node_of(&h, 1, 0x12000, 0), 1);
	ck_assert_int_eq(node_of(&h, 1, 0x14000, 0), 0);
	homes_move(&h, 1, 0, UINT64_MAX, 40);
	ck_assert_int_eq(node_of(&h, 1, 0x14000, 0), -1);
	homes_look(&h, 1, 0x10000, 4096, node, 4, 50);
	ck_assert_int_eq(node_of(&h, 1, 0x11000, 0), 1);
	homes_move(&h, 0, 0, UINT64_MAX, 60); /* process 0 is not known to the model */
	homes_release(&h);
}
END_TEST

START_TEST(pages_take_their_homes_to_other_addresses)
{
	struct homes h;
	int32_t two[] = { 3, 3 };

	homes_init(&h, 4096);
	touch(&h, 1, 0x5000, 10, 1, 20);
	touch(&h, 1, 0x6000, 10, 2, 21);
	/* a page at the target address, which the remap replaces */
	touch(&h, 1, 0xa000, 10, 3, 22);
	homes_look(&h, 1, 0xa000, 4096, two, 2, 23);
	remap(&h, 0x5000, 0xa000, 10, 30);
	ck_assert_int_eq(node_of(&h, 1, 0xa000, 30), 1);
	ck_assert_int_eq(node_of(&h, 1, 0xbfff, 30), 2);
	ck_assert_int_eq(node_of(&h, 1, 0xc000, 30), -1);
	ck_assert_int_eq(node_of(&h, 2, 0xa000, 30), -1);
	ck_assert_uint_eq(homes_find(&h, 1, 0xa000, 30).touched, 20);
	ck_assert(touch(&h, 1, 0xc000, 30, 3, 31));
	/* the remap left the old address free; a mapping made at time 32 is there now */
	ck_assert(touch(&h, 1, 0x5000, 32, 3, 33));
	ck_assert_int_eq(node_of(&h, 1, 0xa000, 30), 1);
	remap(&h, 0xa000, 0x20000, 30, 40);
	ck_assert_int_eq(node_of(&h, 1, 0x21000, 40), 2);
	/* queries a mapping that was made at time 41, after the remap at time 40 */
	ck_assert_int_eq(node_of(&h, 1, 0x21000, 41), -1);
	/* a second fault at the page that was moved, for no known reason */
	ck_assert(!touch(&h, 1, 0x20000, 40, 3, 50));
	ck_assert_int_eq(node_of(&h, 1, 0x20000, 40), -1);
	homes_release(&h);
}
END_TEST

START_TEST(pages_that_went_and_came_back_are_those_that_came_back)
{
	struct homes h;

	homes_init(&h, 4096);
	touch(&h, 1, 0x5000, 10, 1, 20);
	remap(&h, 0x5000, 0xa000, 10, 30);
	touch(&h, 1, 0xb000, 30, 2, 31); /* this page was not touched before the remap */
	remap(&h, 0xa000, 0x5000, 30, 40);
	ck_assert_int_eq(node_of(&h, 1, 0x5000, 40), 1);
	ck_assert_int_eq(node_of(&h, 1, 0x6000, 40), 2);
	homes_drop(&h, 1, 0x5000, 0x7000, 50);
	ck_assert_int_eq(node_of(&h, 1, 0x5000, 40), -1);
	homes_release(&h);
}
END_TEST

START_TEST(a_page_that_was_moved_and_then_remapped_is_not_where_it_was_touched)
{
	struct homes h;

	homes_init(&h, 4096);
	touch(&h, 1, 0x5000, 10, 1, 20);
	homes_move(&h, 1, 0x5000, 0x6000, 25);
	remap(&h, 0x5000, 0xa000, 10, 30);
	ck_assert_int_eq(node_of(&h, 1, 0xa000, 30), -1);
	homes_release(&h);
}
END_TEST

START_TEST(a_fault_after_a_look_ends_it)
{
	struct homes h;
	int32_t seen[2] = { 3, 3 };

	homes_init(&h, 4096);
	touch(&h, 1, 0x5000, 0, 1, 10);
	homes_look(&h, 1, 0x5000, 4096, seen, 2, 20);
	ck_assert_int_eq(node_of(&h, 1, 0x5000, 0), 3);
	/* A thread on node 3 touches the page, which the look found on node 3. So the page is still
	 * there, or was placed there again. */
	touch(&h, 1, 0x5000, 0, 3, 25);
	ck_assert_int_eq(node_of(&h, 1, 0x5000, 0), 3);
	homes_drop(&h, 1, 0x5000, 0x6000, 29);
	touch(&h, 1, 0x5000, 0, 2, 30);
	ck_assert_int_eq(node_of(&h, 1, 0x5000, 0), 2);
	ck_assert(!is_looked(&h, 1, 0x5000, 0));
	ck_assert_int_eq(node_of(&h, 1, 0x6000, 0), 3);
	/* -1: the node of the thread that touches the page is unknown */
	touch(&h, 1, 0x6000, 0, -1, 30);
	ck_assert_int_eq(node_of(&h, 1, 0x6000, 0), -1);
	homes_release(&h);
}
END_TEST

START_TEST(of_two_threads_that_touch_at_once_one_places)
{
	struct homes_fault f;
	struct homes h;

	homes_init(&h, 4096);
	f = fault(1, 0x5000, 0, 1, 1000);
	ck_assert(homes_touch(&h, &f));
	f.thread = 2;
	f.node = 2;
	f.time += HOMES_RACE_NS - 1;
	ck_assert(!homes_touch(&h, &f));
	ck_assert_int_eq(node_of(&h, 1, 0x5000, 0), 1);
	/* `exact` means that the fault's event reported the node of the page itself */
	f.exact = true;
	ck_assert(!homes_touch(&h, &f));
	ck_assert_int_eq(node_of(&h, 1, 0x5000, 0), 2);
	f.exact = false;
	f.node = 3;
	f.time += 2 * HOMES_RACE_NS;
	f.thread = 3;
	ck_assert(!homes_touch(&h, &f));
	/* this fault does not report the node, and its page may have moved to an unknown node */
	ck_assert_int_eq(node_of(&h, 1, 0x5000, 0), -1);
	homes_release(&h);
}
END_TEST

START_TEST(a_read_places_no_page)
{
	struct homes_fault f;
	struct homes h;

	homes_init(&h, 4096);
	f = fault(1, 0x5000, 0, 1, 10);
	f.reads = true;
	ck_assert(!homes_touch(&h, &f));
	ck_assert_int_eq(node_of(&h, 1, 0x5000, 0), -1);
	ck_assert(touch(&h, 1, 0x5000, 0, 2, 20));
	ck_assert_int_eq(node_of(&h, 1, 0x5000, 0), 2);
	homes_release(&h);
}
END_TEST

START_TEST(a_page_that_was_given_back_is_first_touched_again)
{
	struct homes h;
	int32_t seen[2] = { 3, 3 };

	homes_init(&h, 4096);
	touch(&h, 1, 0x5000, 0, 1, 10);
	touch(&h, 1, 0x6000, 0, 1, 10);
	homes_look(&h, 1, 0x5000, 4096, seen, 2, 20);
	homes_drop(&h, 1, 0x5000, 0x6000, 30);
	ck_assert_int_eq(node_of(&h, 1, 0x5000, 0), -1);
	ck_assert_int_eq(node_of(&h, 1, 0x6000, 0), 3);
	ck_assert(touch(&h, 1, 0x5000, 0, 2, 40));
	ck_assert_int_eq(node_of(&h, 1, 0x5000, 0), 2);
	ck_assert_uint_eq(homes_find(&h, 1, 0x5000, 0).touched, 40);
	homes_release(&h);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("homes");
	TCase *t = tcase_create("homes");

	tcase_add_test(t, each_page_has_its_own_first_touch);
	tcase_add_test(t, a_page_is_first_touched_once_in_each_life);
	tcase_add_test(t, a_range_beyond_the_address_space_is_ignored);
	tcase_add_test(t, a_call_that_moves_pages_ends_what_is_known);
	tcase_add_test(t, pages_take_their_homes_to_other_addresses);
	tcase_add_test(t, pages_that_went_and_came_back_are_those_that_came_back);
	tcase_add_test(t, a_page_that_was_moved_and_then_remapped_is_not_where_it_was_touched);
	tcase_add_test(t, a_fault_after_a_look_ends_it);
	tcase_add_test(t, of_two_threads_that_touch_at_once_one_places);
	tcase_add_test(t, a_read_places_no_page);
	tcase_add_test(t, a_page_that_was_given_back_is_first_touched_again);
	suite_add_tcase(s, t);
	return run_suite(s);
}
